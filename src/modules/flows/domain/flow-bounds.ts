/**
 * Limits on the size of a flow. All versions are stored, and the engine loads the definitions of many flows to
 * advance trips.
 */
import { invalidFields } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { Flow, NewFlow } from './flow.js';
import { placedSteps } from './step-tree.js';

/** Characters, as for templates, goals and reports. */
export const LONGEST_NAME = 255;
/** Characters, as for versions of templates. */
export const LONGEST_SUMMARY = 500;
export const LONGEST_TAG = 255;
export const MOST_TAGS = 100;
/** Maximum number of flows in one bulk action, section 8.3. */
export const MOST_IN_BULK = 100;

/** Bytes of JSON of everything that people can set on a flow. */
const LARGEST_FLOW = 524_288;

/** More than a person can follow in a flow; each trip walks through the steps. */
const MOST_STEPS = 200;
/** Maximum nesting of step lists. */
const DEEPEST_STEPS = 5;

/**
 * @throws DomainError invalid_field for the steps, since they are what makes a flow large.
 */
export function assertFlowSize(flow: NewFlow | Flow): void {
  const placed = placedSteps(flow.steps);
  if (placed.length > MOST_STEPS)
    throw invalidFields([
      { field: 'steps', message: `must be at most ${MOST_STEPS}, including steps in branches` },
    ]);
  const deep = placed.filter(({ depth }) => depth > DEEPEST_STEPS);
  if (deep.length > 0)
    throw invalidFields(
      deep.map(({ path }) => ({
        field: path,
        message: `must not be nested deeper than ${DEEPEST_STEPS} lists of steps`,
      })),
    );
  if (Buffer.byteLength(jsonText(decidedOf(flow))) <= LARGEST_FLOW) return;
  const message = `make the flow larger than ${LARGEST_FLOW} bytes of JSON (512 KB)`;
  throw invalidFields([{ field: 'steps', message }]);
}

function decidedOf(flow: NewFlow): NewFlow {
  const { name, description, triggerEvent, triggerConditions, segmentId } = flow;
  const { steps, contentType, tags, settings } = flow;
  return {
    name,
    description,
    triggerEvent,
    triggerConditions,
    segmentId,
    steps,
    contentType,
    tags,
    settings,
  };
}

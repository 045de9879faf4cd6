/**
 * Limits on the size of a flow. All versions are stored, and the engine loads the definitions of many flows to
 * advance trips.
 */
import { invalidFields } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { Flow, NewFlow } from './flow.js';
import { stepsWithPaths } from './step-tree.js';

/** Characters, as for templates, goals and reports. */
export const MAX_NAME_CHARS = 255;
/** Characters, as for versions of templates. */
export const MAX_SUMMARY_CHARS = 500;
export const MAX_TAG_CHARS = 255;
export const MAX_FLOW_TAGS = 100;
/** Maximum number of flows in one bulk action, section 8.3. */
export const MAX_BULK_FLOWS = 100;

/** Bytes of JSON of everything that people can set on a flow. */
const MAX_FLOW_BYTES = 524_288;

/** More than a person can follow in a flow; each trip walks through the steps. */
const MAX_STEPS = 200;
/** Maximum nesting of step lists. */
const MAX_STEP_DEPTH = 5;

/**
 * @throws DomainError invalid_field for the steps, since they are what makes a flow large.
 */
export function assertFlowSize(flow: NewFlow | Flow): void {
  const allSteps = stepsWithPaths(flow.steps);
  if (allSteps.length > MAX_STEPS)
    throw invalidFields([
      { field: 'steps', message: `must be at most ${MAX_STEPS}, including steps in branches` },
    ]);
  const tooDeep = allSteps.filter(({ depth }) => depth > MAX_STEP_DEPTH);
  if (tooDeep.length > 0)
    throw invalidFields(
      tooDeep.map(({ path }) => ({
        field: path,
        message: `must not be nested deeper than ${MAX_STEP_DEPTH} lists of steps`,
      })),
    );
  if (Buffer.byteLength(jsonText(authoredFields(flow))) <= MAX_FLOW_BYTES) return;
  const message = `make the flow larger than ${MAX_FLOW_BYTES} bytes of JSON (512 KB)`;
  throw invalidFields([{ field: 'steps', message }]);
}

function authoredFields(flow: NewFlow): NewFlow {
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

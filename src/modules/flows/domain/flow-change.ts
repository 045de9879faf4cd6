/** What becomes of a flow that is changed, restored or copied, sections 3.2 and 4.2. */
import { LONGEST_NAME } from './flow-bounds.js';
import { FIRST_STATUS } from './flow-transitions.js';
import type { FlowContent } from './flow-version.js';
import type { Flow, FlowUpdate } from './flow.js';
import type { NewStep } from './step.js';
import { highestId, identified } from './step-identity.js';

/** Steps with their ids, and the highest of all that the flow's steps have had. */
export function stepsWithIds(steps: readonly NewStep[], flow?: Flow): Pick<Flow, 'steps' | 'lastStepId'> {
  const given = identified(steps, flow?.steps, flow?.lastStepId);
  return { steps: given, lastStepId: Math.max(flow?.lastStepId ?? 0, highestId(given)) };
}

/** The next version of a flow with what the update speaks of; steps that are the same ones keep their ids. */
export function updatedFlow(flow: Flow, { steps, ...update }: FlowUpdate, now: Date): Flow {
  const given = Object.entries(update).filter(([, value]) => value !== undefined);
  return {
    ...flow,
    ...Object.fromEntries(given),
    ...(steps ? stepsWithIds(steps, flow) : {}),
    version: flow.version + 1,
    updatedAt: now,
  };
}

/** The next version of a flow with what a snapshot preserves; status and audience stay. */
export function restoredFlow(flow: Flow, content: FlowContent, now: Date): Flow {
  const { name, description, triggerEvent, triggerConditions, steps, contentType, tags, settings } = content;
  return {
    ...flow,
    name,
    description,
    triggerEvent,
    triggerConditions,
    steps,
    contentType,
    tags,
    settings,
    version: flow.version + 1,
    updatedAt: now,
  };
}

/** A draft of version 1 with everything that people decided about the flow, and a name that says so. */
export function copyOfFlow(flow: Flow, id: string, actor: string, now: Date): Flow {
  return {
    ...flow,
    id,
    name: nameOfCopy(flow.name),
    status: FIRST_STATUS,
    version: 1,
    createdBy: actor,
    createdAt: now,
    updatedAt: now,
  };
}

const COPY = ' (Copy)';

/** The name with ` (Copy)` appended; where that would be too long, the name's end makes room for it. */
function nameOfCopy(name: string): string {
  return [...name].slice(0, LONGEST_NAME - COPY.length).join('') + COPY;
}

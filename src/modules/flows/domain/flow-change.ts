/** Computes the flow after an update, a restore or a copy, sections 3.2 and 4.2. */
import { MAX_NAME_CHARS } from './flow-bounds.js';
import { FIRST_STATUS } from './flow-transitions.js';
import type { FlowContent } from './flow-version.js';
import type { Flow, FlowUpdate } from './flow.js';
import type { NewStep } from './step.js';
import { highestId, assignStepIds } from './step-identity.js';

/** The steps with ids, and the highest id that any step of the flow has ever had. */
export function stepsWithIds(steps: readonly NewStep[], flow?: Flow): Pick<Flow, 'steps' | 'lastStepId'> {
  const withIds = assignStepIds(steps, flow?.steps, flow?.lastStepId);
  return { steps: withIds, lastStepId: Math.max(flow?.lastStepId ?? 0, highestId(withIds)) };
}

/** The next version of a flow, with the fields of the update. Steps that are still the same keep their ids. */
export function updatedFlow(flow: Flow, { steps, ...update }: FlowUpdate, now: Date): Flow {
  const changes = Object.entries(update).filter(([, value]) => value !== undefined);
  return {
    ...flow,
    ...Object.fromEntries(changes),
    ...(steps ? stepsWithIds(steps, flow) : {}),
    version: flow.version + 1,
    updatedAt: now,
  };
}

/** The next version of a flow, with the content of a snapshot. Status and audience do not change. */
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

/** A draft with version 1 that copies everything people can set on the flow. Its name marks it as a copy. */
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

/** The name with ` (Copy)` appended; if that is too long, the end of the name is cut off. */
function nameOfCopy(name: string): string {
  return [...name].slice(0, MAX_NAME_CHARS - COPY.length).join('') + COPY;
}

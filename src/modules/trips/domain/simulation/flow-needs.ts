/** The data that a whole flow may need at any step. Like needs-ahead, for every position of a trip. */
import type { Step } from '../../../flows/domain/step.js';
import { stepsWithPaths } from '../../../flows/domain/step-tree.js';
import { BEFORE_FIRST_STEP } from '../trip-path.js';
import { prefetchNeedsOf } from '../prefetch-needs.js';
import type { SimulatedFlow } from './simulation-model.js';

export interface FlowNeeds {
  /** Whether full contact records are needed, and not only the fields that sending checks. */
  readonly readsContact: boolean;
  /** Names of events that checks concern. */
  readonly checkedEvents: ReadonlySet<string>;
  readonly readsTriggerEvent: boolean;
  readonly segmentIds: ReadonlySet<string>;
  /** Names of all events that matter to the flow: those of its trigger, goals and checks. */
  readonly eventNames: ReadonlySet<string>;
  /** The names of events whose attributes matter. */
  readonly attributeEventNames: ReadonlySet<string>;
}

export function flowNeeds({
  steps,
  goals,
  triggerEvent,
  triggerConditions,
  segmentId,
}: SimulatedFlow): FlowNeeds {
  const positions = [BEFORE_FIRST_STEP, ...stepsWithPaths<Step>(steps).map(({ step }) => step.id)];
  const all = positions.map((position) => prefetchNeedsOf(steps, position));
  const checkedEvents = new Set(all.flatMap(({ eventNames }) => [...eventNames]));
  const attributeEventNames = new Set(all.flatMap((needs) => [...needs.attributeEventNames]));
  const readsTriggerEvent = all.some((needs) => needs.readsTriggerEvent);
  if (readsTriggerEvent || Object.keys(triggerConditions).length > 0) attributeEventNames.add(triggerEvent);
  for (const { eventName, eventFilters } of goals)
    if (Object.keys(eventFilters).length > 0) attributeEventNames.add(eventName);
  const segmentIds = new Set(all.flatMap((needs) => [...needs.segmentIds]));
  if (segmentId !== null) segmentIds.add(segmentId.toLowerCase());
  return {
    readsContact: all.some((needs) => needs.readsContact) || segmentIds.size > 0,
    checkedEvents,
    readsTriggerEvent,
    segmentIds,
    eventNames: new Set([triggerEvent, ...goals.map(({ eventName }) => eventName), ...checkedEvents]),
    attributeEventNames,
  };
}

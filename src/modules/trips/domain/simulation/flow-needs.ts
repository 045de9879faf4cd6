/** The data that a whole flow may need at any step. Like needs-ahead, for every position of a trip. */
import type { Step } from '../../../flows/domain/step.js';
import { placedSteps } from '../../../flows/domain/step-tree.js';
import { BEFORE_FIRST } from '../course.js';
import { needsAhead } from '../needs-ahead.js';
import type { SimulatedFlow } from './simulated-world.js';

export interface FlowNeeds {
  /** Whether full contact records are needed, and not only the fields that sending checks. */
  readonly asksContact: boolean;
  /** Names of events that checks concern. */
  readonly checkedEvents: ReadonlySet<string>;
  readonly asksTrigger: boolean;
  readonly segmentIds: ReadonlySet<string>;
  /** Names of all events that matter to the flow: those of its trigger, goals and checks. */
  readonly eventNames: ReadonlySet<string>;
  /** The names of events whose attributes matter. */
  readonly attributesOf: ReadonlySet<string>;
}

export function flowNeeds({
  steps,
  goals,
  triggerEvent,
  triggerConditions,
  segmentId,
}: SimulatedFlow): FlowNeeds {
  const places = [BEFORE_FIRST, ...placedSteps<Step>(steps).map(({ step }) => step.id)];
  const all = places.map((place) => needsAhead(steps, place));
  const checkedEvents = new Set(all.flatMap(({ eventNames }) => [...eventNames]));
  const attributesOf = new Set(all.flatMap((needs) => [...needs.attributesOf]));
  const asksTrigger = all.some((needs) => needs.asksTrigger);
  if (asksTrigger || Object.keys(triggerConditions).length > 0) attributesOf.add(triggerEvent);
  for (const { eventName, eventFilters } of goals)
    if (Object.keys(eventFilters).length > 0) attributesOf.add(eventName);
  const segmentIds = new Set(all.flatMap((needs) => [...needs.segmentIds]));
  if (segmentId !== null) segmentIds.add(segmentId.toLowerCase());
  return {
    asksContact: all.some((needs) => needs.asksContact) || segmentIds.size > 0,
    checkedEvents,
    asksTrigger,
    segmentIds,
    eventNames: new Set([triggerEvent, ...goals.map(({ eventName }) => eventName), ...checkedEvents]),
    attributesOf,
  };
}

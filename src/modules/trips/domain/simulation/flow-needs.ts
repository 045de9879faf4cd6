/** What a whole flow may ask of the world on its way: as needs-ahead, wherever a trip may stand. */
import type { Step } from '../../../flows/domain/step.js';
import { placedSteps } from '../../../flows/domain/step-tree.js';
import { BEFORE_FIRST } from '../course.js';
import { needsAhead } from '../needs-ahead.js';
import type { SimulatedFlow } from './simulated-world.js';

export interface FlowNeeds {
  /** Whether contacts' records are needed whole, and not only what sending looks at. */
  readonly asksContact: boolean;
  /** Names of events about which checks ask. */
  readonly checkedEvents: ReadonlySet<string>;
  readonly asksTrigger: boolean;
  readonly segmentIds: ReadonlySet<string>;
  /** Names of all events that mean anything to the flow: its trigger's, its goals', its checks'. */
  readonly eventNames: ReadonlySet<string>;
  /** Those of them whose attributes matter. */
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

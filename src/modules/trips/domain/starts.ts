/**
 * Which trips a row of events starts: every active flow that listens to an event's name, whose conditions match, whose
 * segment the contact is in and whose re-entry policy lets the contact in. Sections 2.3, 3.2 and 6.3.
 */
import { matchesAttributes } from '../../../kernel/attribute-match.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import type { ListeningFlow } from '../../flows/domain/flow.js';
import { mayReenter, NO_EARLIER_TRIPS, type EarlierTrips } from './reentry.js';

/** What of an event decides which trips it starts. */
export type TriggerEvent = Omit<EventOfContact, 'externalId' | 'occurredAt'>;

/** Whether a contact is in the segment whose members alone start a flow. */
export type IsAdmitted = (segmentId: string, contactId: string) => boolean;

export interface TripStart {
  readonly flow: ListeningFlow;
  readonly event: TriggerEvent;
}

/** Names a contact's history in a flow. */
export function historyKey(flowId: string, contactId: string): string {
  return `${flowId}:${contactId}`;
}

/**
 * Decides for events in the order in which they came; a trip that is started here counts as history for the events
 * behind it.
 * @param history earlier trips by `historyKey`; a missing entry means none.
 */
export function tripStarts(
  events: readonly TriggerEvent[],
  flows: readonly ListeningFlow[],
  history: ReadonlyMap<string, EarlierTrips>,
  isAdmitted: IsAdmitted,
  now: Date,
): TripStart[] {
  const listening = byTrigger(flows);
  const earlier = new Map(history);
  const starts: TripStart[] = [];
  for (const event of events) {
    if (!event.contactReachable) continue;
    for (const flow of listening.get(event.name) ?? []) {
      if (!matchesAttributes(flow.triggerConditions, event.attributes)) continue;
      if (flow.segmentId !== null && !isAdmitted(flow.segmentId, event.contactId)) continue;
      const key = historyKey(flow.id, event.contactId);
      const before = earlier.get(key) ?? NO_EARLIER_TRIPS;
      if (!mayReenter(flow.settings, before, now)) continue;
      starts.push({ flow, event });
      earlier.set(key, { count: before.count + 1, inFlight: before.inFlight + 1, latestStart: now });
    }
  }
  return starts;
}

function byTrigger(flows: readonly ListeningFlow[]): Map<string, ListeningFlow[]> {
  const listening = new Map<string, ListeningFlow[]>();
  for (const flow of flows) {
    const others = listening.get(flow.triggerEvent);
    if (others) others.push(flow);
    else listening.set(flow.triggerEvent, [flow]);
  }
  return listening;
}

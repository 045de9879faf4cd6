/**
 * Which trips a batch of events starts: one for each active flow that listens to an event's name, whose conditions
 * match, whose segment contains the contact and whose re-entry policy admits the contact. Sections 2.3, 3.2 and 6.3.
 */
import { matchesAttributes } from '../../../kernel/event-attributes.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';
import type { ListeningFlow } from '../../flows/domain/flow.js';
import { NO_EARLIER_TRIPS, reentryRefusal, type EarlierTrips, type ReentryRefusal } from './reentry.js';

/** The fields of an event that decide which trips it starts. */
export type TriggerEvent = Omit<EventOfContact, 'externalId' | 'occurredAt'>;

/** Whether a contact is in the segment to which a flow is restricted. */
export type IsAdmitted = (segmentId: string, contactId: string) => boolean;

export interface TripStart {
  readonly flow: ListeningFlow;
  readonly event: TriggerEvent;
}

/** The codes that explanations of silence use, too. */
export type StartRefusal =
  'contact_unreachable' | 'conditions_do_not_match' | 'not_in_segment' | ReentryRefusal;

/** The key of a contact's history in a flow. */
export function earlierTripsKey(flowId: string, contactId: string): string {
  return `${flowId}:${contactId}`;
}

/** Why an event does not start a trip through a flow that listens to its name; null if it does. */
export function startRefusal(
  flow: ListeningFlow,
  event: TriggerEvent,
  earlier: EarlierTrips,
  isAdmitted: IsAdmitted,
  now: Date,
): StartRefusal | null {
  if (!event.contactReachable) return 'contact_unreachable';
  if (!matchesAttributes(flow.triggerConditions, event.attributes)) return 'conditions_do_not_match';
  if (flow.segmentId !== null && !isAdmitted(flow.segmentId, event.contactId)) return 'not_in_segment';
  return reentryRefusal(flow.settings, earlier, now);
}

/**
 * Decides for events in the order of their arrival. A trip that is started here counts as history for later events.
 * @param earlierTrips earlier trips by `earlierTripsKey`; a missing entry means none.
 */
export function tripStarts(
  events: readonly TriggerEvent[],
  flows: readonly ListeningFlow[],
  earlierTrips: ReadonlyMap<string, EarlierTrips>,
  isAdmitted: IsAdmitted,
  now: Date,
): TripStart[] {
  const listening = byTrigger(flows);
  const earlier = new Map(earlierTrips);
  const starts: TripStart[] = [];
  for (const event of events) {
    for (const flow of listening.get(event.name) ?? []) {
      const key = earlierTripsKey(flow.id, event.contactId);
      const earlierOfContact = earlier.get(key) ?? NO_EARLIER_TRIPS;
      if (startRefusal(flow, event, earlierOfContact, isAdmitted, now) !== null) continue;
      starts.push({ flow, event });
      earlier.set(key, {
        count: earlierOfContact.count + 1,
        inFlight: earlierOfContact.inFlight + 1,
        latestStart: now,
      });
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

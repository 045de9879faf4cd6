/** The checks that the engine makes before it starts a trip, for each event that might have started one. */
import { matchesAttributes } from '../../../kernel/attribute-match.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { FlowStatus } from '../../flows/domain/flow.js';
import { cooldownEnd, reentryRefusal, type EarlierTrips, type ReentryRefusal } from './reentry.js';
import { against, passed } from './silence-finding.js';
import type { SilenceFacts, SilenceFinding, TriggerCandidate, TripThrough } from './silence-facts.js';

/**
 * The findings about the events, newest first, then those about contact and flow. If the contact is unknown, that
 * comes first.
 */
export function entryFindings(facts: SilenceFacts): SilenceFinding[] {
  const { contact, flow, events } = facts;
  const [ofContact, ofFlow] = [contactFinding(facts), flowFinding(flow)];
  if (events.length > 0)
    return [...events.flatMap((event) => eventFindings(event, facts)), ofContact, ofFlow];
  const noEvent = against('event', 'no_event', `No event “${flow.triggerEvent}” of the contact is stored.`, {
    facts: { event_name: flow.triggerEvent },
  });
  return contact ? [noEvent, ofContact, ofFlow] : [ofContact, noEvent, ofFlow];
}

/** The checks of one event, up to the first that failed. */
function eventFindings(event: TriggerCandidate, facts: SilenceFacts): SilenceFinding[] {
  const about = { eventId: event.id, at: event.receivedAt };
  const started = facts.trips.find(({ triggerEventId }) => triggerEventId === event.id);
  if (started)
    return [passed('entry', 'entered', 'The event started a trip.', { ...about, tripId: started.id })];
  if (event.isSetAside)
    return [
      against(
        'event',
        'event_set_aside',
        'The event is a dead letter: see the dead letters of the workspace.',
        about,
      ),
    ];
  const { processedAt } = event;
  if (!processedAt)
    return [
      against('event', 'event_pending', 'The event was accepted and is waiting to be processed.', about),
    ];

  const findings = [
    passed('event', 'event_came', `The event “${facts.flow.triggerEvent}” was received.`, about),
  ];
  for (const ask of ASKED) {
    const found = ask({ ...event, processedAt }, facts);
    findings.push({ ...found, ...about });
    if (found.isAgainst) return findings;
  }
  findings.push(
    against(
      'entry',
      'not_entered',
      'It would start a trip under the current rules, which were different when the event was received.',
      about,
    ),
  );
  return findings;
}

type DoneEvent = TriggerCandidate & { readonly processedAt: Date };

function contactThen(_event: DoneEvent, facts: SilenceFacts): SilenceFinding {
  return contactFinding(facts);
}

/** In the engine's order. */
const ASKED = [contactThen, activeThen, conditionsOf, segmentOf, reentryOf] as const;

function contactFinding({ contact, events }: SilenceFacts): SilenceFinding {
  if (!contact)
    return events.length > 0
      ? against(
          'contact',
          'contact_beyond_plan',
          'The contact does not exist: the plan’s contact limit was reached when its event was received.',
        )
      : against('contact', 'contact_unknown', 'The contact does not exist.');
  if (contact.subscriptionStatus === 'deleted')
    return against('contact', 'contact_deleted', 'The contact is deleted, so its events are ignored.');
  return contact.subscriptionStatus === 'unsubscribed'
    ? passed(
        'contact',
        'contact_unsubscribed',
        'The contact is unsubscribed: it enters the flow, but only receives emails of steps that allow it.',
      )
    : passed('contact', 'contact_known', 'The contact exists.');
}

function flowFinding({ status, changes }: SilenceFacts['flow']): SilenceFinding {
  const since = changes[0]?.status === status ? changes[0].since : null;
  const words = `The flow is ${status}${since ? ` since ${since.toISOString()}` : ''}`;
  const more = { at: since, facts: { status } };
  return status === 'active'
    ? passed('flow', 'flow_active', `${words}.`, more)
    : against('flow', `flow_${status}`, `${words}: it does not start trips.`, more);
}

function activeThen({ processedAt }: DoneEvent, { flow }: SilenceFacts): SilenceFinding {
  const status = statusAt(flow, processedAt);
  if (status === undefined)
    return passed('flow', 'flow_status_unknown', 'Whether the flow was active at that time is unknown.');
  const facts = { status };
  return status === 'active'
    ? passed('flow', 'flow_was_active', 'The flow was active at that time.', { facts })
    : against(
        'flow',
        'flow_was_not_active',
        `The flow ${status === 'none' ? 'did not exist' : `was ${status}`} at that time.`,
        { facts },
      );
}

/** Undefined if nothing is known of a time so long ago; `none` before the flow was created. */
function statusAt(
  { status, changes, createdAt }: SilenceFacts['flow'],
  moment: Date,
): FlowStatus | 'none' | undefined {
  if (moment < createdAt) return 'none';
  const last = changes.find(({ since }) => since <= moment);
  if (last) return last.status;
  if (changes.length > 0) return changes.at(-1)?.status === 'active' ? 'draft' : undefined;
  return status === 'draft' ? 'draft' : undefined;
}

function conditionsOf({ attributes }: DoneEvent, { flow, withValues }: SilenceFacts): SilenceFinding {
  const conditions = Object.entries(flow.triggerConditions);
  if (conditions.length === 0)
    return passed('conditions', 'no_conditions', 'The flow has no conditions on the event’s attributes.');
  for (const [key, expected] of conditions) {
    if (matchesAttributes({ [key]: expected }, attributes)) continue;
    const isThere = Object.hasOwn(attributes, key);
    const seen: JsonObject = withValues ? { seen: isThere ? attributes[key] : null } : {};
    return against(
      'conditions',
      'conditions_do_not_match',
      `The event’s attribute “${key}” ${isThere ? 'has a different value' : 'is missing'}: the flow requires ` +
        `${JSON.stringify(expected)}.`,
      { facts: { key, expected, ...seen } },
    );
  }
  return passed('conditions', 'conditions_match', 'The event’s attributes match.');
}

function segmentOf(_event: DoneEvent, { flow, isMember }: SilenceFacts): SilenceFinding {
  const facts = { segment_id: flow.segmentId };
  if (flow.segmentId === null)
    return passed('segment', 'no_segment', 'The flow is not limited to a segment.');
  if (isMember === undefined)
    return passed('segment', 'segment_unknown', 'Whether the contact is in the flow’s segment is unknown.', {
      facts,
    });
  return isMember
    ? passed('segment', 'in_segment', 'The contact is currently in the flow’s segment.', { facts })
    : against('segment', 'not_in_segment', 'The contact is not in the flow’s segment.', { facts });
}

function reentryOf({ processedAt }: DoneEvent, { flow, trips }: SilenceFacts): SilenceFinding {
  const earlier = trips.filter(({ startedAt }) => startedAt <= processedAt);
  const inFlight = earlier.filter(({ completedAt }) => completedAt === null || completedAt > processedAt);
  const [latest] = earlier;
  const history: EarlierTrips = {
    count: earlier.length,
    inFlight: inFlight.length,
    latestStart: latest?.startedAt ?? null,
  };
  const { reentryPolicy: policy } = flow.settings;
  const refusal = reentryRefusal(flow.settings, history, processedAt);
  if (refusal === null)
    return passed('reentry', 'reentry_allowed', 'The re-entry rule allowed the contact to enter.', {
      facts: { policy },
    });
  const before: TripThrough | undefined = refusal === 'reentry_after_completion' ? inFlight[0] : latest;
  const until = refusal === 'reentry_cooldown' ? cooldownEnd(flow.settings, history) : null;
  return against('reentry', refusal, REENTRY[refusal](before?.id, until), {
    tripId: before?.id ?? null,
    facts: { policy, ...(until ? { until: until.toISOString() } : {}) },
  });
}

const REENTRY: Readonly<Record<ReentryRefusal, (trip: string | undefined, until: Date | null) => string>> = {
  reentry_never: (trip) =>
    `The contact was already in the flow, in the trip ${trip}, and can enter it only once.`,
  reentry_after_completion: (trip) => `The trip ${trip} was still in flight.`,
  reentry_cooldown: (trip, until) =>
    `After the trip ${trip}, the contact can enter again from ${until?.toISOString()}.`,
};

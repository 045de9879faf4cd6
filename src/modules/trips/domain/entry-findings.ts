/** The checks that the engine makes before it starts a trip, for each event that might have started one. */
import { matchesAttributes } from '../../../kernel/event-attributes.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { FlowStatus } from '../../flows/domain/flow.js';
import { cooldownEnd, reentryRefusal, type EarlierTrips, type ReentryRefusal } from './reentry.js';
import { blocking, passed } from './silence-finding.js';
import type { SilenceInputs, SilenceFinding, TriggerCandidate, ContactTrip } from './silence-inputs.js';

/**
 * The findings about the events, newest first, then those about contact and flow. If the contact is unknown, that
 * comes first.
 */
export function entryFindings(inputs: SilenceInputs): SilenceFinding[] {
  const { contact, flow, events } = inputs;
  const [aboutContact, aboutFlow] = [contactFinding(inputs), flowFinding(flow)];
  if (events.length > 0)
    return [...events.flatMap((event) => eventFindings(event, inputs)), aboutContact, aboutFlow];
  const noEvent = blocking('event', 'no_event', `No event “${flow.triggerEvent}” of the contact is stored.`, {
    facts: { event_name: flow.triggerEvent },
  });
  return contact ? [noEvent, aboutContact, aboutFlow] : [aboutContact, noEvent, aboutFlow];
}

/** The checks of one event, up to the first that failed. */
function eventFindings(event: TriggerCandidate, inputs: SilenceInputs): SilenceFinding[] {
  const about = { eventId: event.id, at: event.receivedAt };
  const startedTrip = inputs.trips.find(({ triggerEventId }) => triggerEventId === event.id);
  if (startedTrip)
    return [passed('entry', 'entered', 'The event started a trip.', { ...about, tripId: startedTrip.id })];
  if (event.isDeadLetter)
    return [
      blocking(
        'event',
        'event_set_aside',
        'The event is a dead letter: see the dead letters of the workspace.',
        about,
      ),
    ];
  const { processedAt } = event;
  if (!processedAt)
    return [
      blocking('event', 'event_pending', 'The event was accepted and is waiting to be processed.', about),
    ];

  const findings = [
    passed('event', 'event_came', `The event “${inputs.flow.triggerEvent}” was received.`, about),
  ];
  for (const check of EVENT_CHECKS) {
    const result = check({ ...event, processedAt }, inputs);
    findings.push({ ...result, ...about });
    if (result.isAgainst) return findings;
  }
  findings.push(
    blocking(
      'entry',
      'not_entered',
      'It would start a trip under the current rules, which were different when the event was received.',
      about,
    ),
  );
  return findings;
}

type ProcessedEvent = TriggerCandidate & { readonly processedAt: Date };

function contactFindingOfEvent(_event: ProcessedEvent, inputs: SilenceInputs): SilenceFinding {
  return contactFinding(inputs);
}

/** In the engine's order. */
const EVENT_CHECKS = [
  contactFindingOfEvent,
  statusFindingOfEvent,
  conditionsFinding,
  segmentFinding,
  reentryFinding,
] as const;

function contactFinding({ contact, events }: SilenceInputs): SilenceFinding {
  if (!contact)
    return events.length > 0
      ? blocking(
          'contact',
          'contact_beyond_plan',
          'The contact does not exist: the plan’s contact limit was reached when its event was received.',
        )
      : blocking('contact', 'contact_unknown', 'The contact does not exist.');
  if (contact.subscriptionStatus === 'deleted')
    return blocking('contact', 'contact_deleted', 'The contact is deleted, so its events are ignored.');
  return contact.subscriptionStatus === 'unsubscribed'
    ? passed(
        'contact',
        'contact_unsubscribed',
        'The contact is unsubscribed: it enters the flow, but only receives emails of steps that allow it.',
      )
    : passed('contact', 'contact_known', 'The contact exists.');
}

function flowFinding({ status, changes }: SilenceInputs['flow']): SilenceFinding {
  const since = changes[0]?.status === status ? changes[0].since : null;
  const summary = `The flow is ${status}${since ? ` since ${since.toISOString()}` : ''}`;
  const details = { at: since, facts: { status } };
  return status === 'active'
    ? passed('flow', 'flow_active', `${summary}.`, details)
    : blocking('flow', `flow_${status}`, `${summary}: it does not start trips.`, details);
}

function statusFindingOfEvent({ processedAt }: ProcessedEvent, { flow }: SilenceInputs): SilenceFinding {
  const status = statusAt(flow, processedAt);
  if (status === undefined)
    return passed('flow', 'flow_status_unknown', 'Whether the flow was active at that time is unknown.');
  const facts = { status };
  return status === 'active'
    ? passed('flow', 'flow_was_active', 'The flow was active at that time.', { facts })
    : blocking(
        'flow',
        'flow_was_not_active',
        `The flow ${status === 'none' ? 'did not exist' : `was ${status}`} at that time.`,
        { facts },
      );
}

/** Undefined if nothing is known of a time so long ago; `none` before the flow was created. */
function statusAt(
  { status, changes, createdAt }: SilenceInputs['flow'],
  moment: Date,
): FlowStatus | 'none' | undefined {
  if (moment < createdAt) return 'none';
  const last = changes.find(({ since }) => since <= moment);
  if (last) return last.status;
  if (changes.length > 0) return changes.at(-1)?.status === 'active' ? 'draft' : undefined;
  return status === 'draft' ? 'draft' : undefined;
}

function conditionsFinding(
  { attributes }: ProcessedEvent,
  { flow, withValues }: SilenceInputs,
): SilenceFinding {
  const conditions = Object.entries(flow.triggerConditions);
  if (conditions.length === 0)
    return passed('conditions', 'no_conditions', 'The flow has no conditions on the event’s attributes.');
  for (const [key, expected] of conditions) {
    if (matchesAttributes({ [key]: expected }, attributes)) continue;
    const exists = Object.hasOwn(attributes, key);
    const observed: JsonObject = withValues ? { seen: exists ? attributes[key] : null } : {};
    return blocking(
      'conditions',
      'conditions_do_not_match',
      `The event’s attribute “${key}” ${exists ? 'has a different value' : 'is missing'}: the flow requires ` +
        `${JSON.stringify(expected)}.`,
      { facts: { key, expected, ...observed } },
    );
  }
  return passed('conditions', 'conditions_match', 'The event’s attributes match.');
}

function segmentFinding(_event: ProcessedEvent, { flow, isMember }: SilenceInputs): SilenceFinding {
  const facts = { segment_id: flow.segmentId };
  if (flow.segmentId === null)
    return passed('segment', 'no_segment', 'The flow is not limited to a segment.');
  if (isMember === undefined)
    return passed('segment', 'segment_unknown', 'Whether the contact is in the flow’s segment is unknown.', {
      facts,
    });
  return isMember
    ? passed('segment', 'in_segment', 'The contact is currently in the flow’s segment.', { facts })
    : blocking('segment', 'not_in_segment', 'The contact is not in the flow’s segment.', { facts });
}

function reentryFinding({ processedAt }: ProcessedEvent, { flow, trips }: SilenceInputs): SilenceFinding {
  const earlier = trips.filter(({ startedAt }) => startedAt <= processedAt);
  const inFlight = earlier.filter(({ completedAt }) => completedAt === null || completedAt > processedAt);
  const [latest] = earlier;
  const earlierTrips: EarlierTrips = {
    count: earlier.length,
    inFlight: inFlight.length,
    latestStart: latest?.startedAt ?? null,
  };
  const { reentryPolicy: policy } = flow.settings;
  const refusal = reentryRefusal(flow.settings, earlierTrips, processedAt);
  if (refusal === null)
    return passed('reentry', 'reentry_allowed', 'The re-entry rule allowed the contact to enter.', {
      facts: { policy },
    });
  const before: ContactTrip | undefined = refusal === 'reentry_after_completion' ? inFlight[0] : latest;
  const until = refusal === 'reentry_cooldown' ? cooldownEnd(flow.settings, earlierTrips) : null;
  return blocking('reentry', refusal, REENTRY_MESSAGES[refusal](before?.id, until), {
    tripId: before?.id ?? null,
    facts: { policy, ...(until ? { until: until.toISOString() } : {}) },
  });
}

const REENTRY_MESSAGES: Readonly<
  Record<ReentryRefusal, (trip: string | undefined, until: Date | null) => string>
> = {
  reentry_never: (trip) =>
    `The contact was already in the flow, in the trip ${trip}, and can enter it only once.`,
  reentry_after_completion: (trip) => `The trip ${trip} was still in flight.`,
  reentry_cooldown: (trip, until) =>
    `After the trip ${trip}, the contact can enter again from ${until?.toISOString()}.`,
};

import { DAY } from '../../../kernel/duration.js';
import type { Explanation } from './explanation.js';
import type { SilenceInputs, TriggerCandidate, ContactTrip } from './silence-inputs.js';
import { explainSilence } from './silence.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY);

const event = (more: Partial<TriggerCandidate> = {}): TriggerCandidate => ({
  id: 'event 1',
  occurredAt: ago(1),
  receivedAt: ago(1),
  processedAt: ago(1),
  attributes: { plan: 'pro' },
  isDeadLetter: false,
  ...more,
});

const QUIET: Explanation = { decisions: [], messages: [], waitsFor: null, end: null };

const trip = (more: Partial<ContactTrip> = {}): ContactTrip => ({
  id: 'trip 1',
  triggerEventId: 'event 0',
  startedAt: ago(3),
  completedAt: null,
  explanation: QUIET,
  ...more,
});

const flow: SilenceInputs['flow'] = {
  status: 'active',
  triggerEvent: 'signed_up',
  triggerConditions: {},
  segmentId: null,
  settings: {
    reentryPolicy: 'never',
    reentryCooldownDays: null,
    throttleEnabled: false,
    throttleLimit: null,
    throttlePeriod: null,
  },
  createdAt: ago(30),
  changes: [{ status: 'active', since: ago(20) }],
};

const reentry = (
  reentryPolicy: SilenceInputs['flow']['settings']['reentryPolicy'],
  days: number | null = null,
): SilenceInputs['flow'] => ({
  ...flow,
  settings: { ...flow.settings, reentryPolicy, reentryCooldownDays: days },
});

const facts = (more: Partial<SilenceInputs> = {}): SilenceInputs => ({
  flow,
  contact: { subscriptionStatus: 'subscribed' },
  isMember: undefined,
  events: [event()],
  trips: [],
  withValues: true,
  ...more,
});

const ENTRIES: readonly (readonly [string, Partial<SilenceInputs>, string | null, object?])[] = [
  ['no event came', { events: [] }, 'no_event', { event_name: 'signed_up' }],
  ['the event waits for its turn', { events: [event({ processedAt: null })] }, 'event_pending'],
  ['the event was set aside', { events: [event({ isDeadLetter: true })] }, 'event_set_aside'],
  ['nobody knows the contact', { contact: undefined, events: [] }, 'contact_unknown'],
  ['the plan had no room for the contact', { contact: undefined }, 'contact_beyond_plan'],
  ['the contact is deleted', { contact: { subscriptionStatus: 'deleted' } }, 'contact_deleted'],
  [
    'the flow was a draft then',
    { flow: { ...flow, changes: [{ status: 'active', since: ago(0.5) }] } },
    'flow_was_not_active',
    { status: 'draft' },
  ],
  [
    'the flow was paused then',
    {
      flow: {
        ...flow,
        changes: [
          { status: 'active', since: ago(0.5) },
          { status: 'paused', since: ago(2) },
        ],
      },
    },
    'flow_was_not_active',
    { status: 'paused' },
  ],
  [
    'the flow was not there then',
    { flow: { ...flow, createdAt: ago(0.5) } },
    'flow_was_not_active',
    { status: 'none' },
  ],
  [
    'the attribute is another',
    { flow: { ...flow, triggerConditions: { plan: 'free' } } },
    'conditions_do_not_match',
    { key: 'plan', expected: 'free', seen: 'pro' },
  ],
  [
    'the attribute is another, told to those who may not see it',
    { flow: { ...flow, triggerConditions: { plan: 'free' } }, withValues: false },
    'conditions_do_not_match',
    { key: 'plan', expected: 'free' },
  ],
  [
    'the attribute is missing',
    { flow: { ...flow, triggerConditions: { plan: 'pro', seats: 3 } } },
    'conditions_do_not_match',
    { key: 'seats', expected: 3, seen: null },
  ],
  [
    'the contact is not in the segment',
    { flow: { ...flow, segmentId: 'segment 1' }, isMember: false },
    'not_in_segment',
    { segment_id: 'segment 1' },
  ],
  ['never again', { trips: [trip({ completedAt: ago(2) })] }, 'reentry_never', { policy: 'never' }],
  [
    'a trip was under way',
    { flow: reentry('after_completion'), trips: [trip()] },
    'reentry_after_completion',
  ],
  [
    'a trip was under way then, and is over now',
    { flow: reentry('after_completion'), trips: [trip({ completedAt: ago(0.5) })] },
    'reentry_after_completion',
  ],
  [
    'the cooldown was not over',
    { flow: reentry('cooldown', 7), trips: [trip()] },
    'reentry_cooldown',
    { policy: 'cooldown', until: new Date(ago(3).getTime() + 7 * DAY).toISOString() },
  ],
  [
    'the cooldown was over, so it would be entered',
    { flow: reentry('cooldown', 1), trips: [trip()] },
    'not_entered',
  ],
  ['rules were others', {}, 'not_entered'],
  ['the flow is paused now', { flow: { ...flow, status: 'paused', changes: [] }, events: [] }, 'no_event'],
  ['it was entered', { trips: [trip({ triggerEventId: 'event 1' })] }, null],
];

test.each(ENTRIES.map(([name, more, reason, expected = null]) => ({ name, more, reason, expected })))(
  '$name',
  ({ more, reason, expected }) => {
    const explained = explainSilence(facts(more));
    expect(explained.reason).toBe(reason);
    if (expected) expect(explained.findings.find(({ isAgainst }) => isAgainst)?.facts).toEqual(expected);
  },
);

test('what the engine asks is told in its order, up to the first answer that stood against it', () => {
  const { findings } = explainSilence(
    facts({
      flow: { ...flow, triggerConditions: { plan: 'free' }, segmentId: 'segment 1' },
      isMember: false,
    }),
  );
  expect(findings.filter(({ eventId }) => eventId !== null).map(({ check }) => check)).toEqual([
    'event',
    'contact',
    'flow',
    'conditions',
  ]);
});

test('which trip stands against a re-entry is told', () => {
  const { findings } = explainSilence(facts({ flow: reentry('after_completion'), trips: [trip()] }));
  expect(findings.find(({ check }) => check === 'reentry')).toMatchObject({
    tripId: 'trip 1',
    isAgainst: true,
  });
});

test('an event behind a trip of a later one is asked against the trips of its time', () => {
  const { findings } = explainSilence(
    facts({
      events: [event({ id: 'event 2', processedAt: ago(0.2) }), event({ processedAt: ago(5) })],
      trips: [trip({ triggerEventId: 'event 2', startedAt: ago(0.2) })],
    }),
  );
  expect(findings.find(({ eventId, check }) => eventId === 'event 1' && check === 'reentry')?.isAgainst).toBe(
    false,
  );
});

const message = {
  id: 'log 1',
  stepId: 2,
  stepPath: 'steps[1]',
  isRepetition: false,
  templateSlug: 'welcome',
  errorCode: null,
  suppressedReason: null,
  heldBy: null,
  attempts: 0,
  nextAttemptAt: NOW,
  sentAt: null,
  createdAt: ago(1),
  gates: [],
  heldUntil: null,
  cap: null,
  detail: 'In words.',
  facts: {},
} as const;
const through = (explanation: Partial<Explanation>): ContactTrip =>
  trip({ triggerEventId: 'event 1', explanation: { ...QUIET, ...explanation } });

test.each<[string, Partial<Explanation>, string | null]>([
  [
    'a message that is suppressed',
    { messages: [{ ...message, status: 'suppressed', suppressedReason: 'unsubscribed' }] },
    'unsubscribed',
  ],
  [
    'a message that failed',
    { messages: [{ ...message, status: 'failed', errorCode: 'template_not_found' }] },
    'template_not_found',
  ],
  [
    'a message that is held back',
    { messages: [{ ...message, status: 'queued', heldBy: 'throttle' }] },
    'throttle',
  ],
  ['a message that waits', { messages: [{ ...message, status: 'queued' }] }, 'message_queued'],
  ['a message that was sent', { messages: [{ ...message, status: 'sent', sentAt: NOW }] }, null],
  ['a wait', { waitsFor: { kind: 'time', until: NOW, detail: 'Until then.' } }, 'waits_for_time'],
  [
    'an end by the flow’s stop',
    { end: { at: NOW, reason: 'flow_stopped', detail: 'Stopped.' } },
    'flow_stopped',
  ],
  ['an end behind the last step', { end: { at: NOW, reason: 'finished', detail: 'Done.' } }, null],
])('%s of the trip', (_, explanation, reason) => {
  expect(explainSilence(facts({ trips: [through(explanation)] })).reason).toBe(reason);
});

test('what stood against an event before an entry explains no silence since', () => {
  const early = event({ id: 'event 1', receivedAt: ago(25), processedAt: ago(25) });
  const late = event({ id: 'event 2' });
  const entered = { trips: [trip({ triggerEventId: 'event 2' })] };
  const { reason, findings } = explainSilence(facts({ events: [late, early], ...entered }));
  expect(reason).toBeNull();
  expect(findings.filter(({ isAgainst }) => isAgainst).map(({ reason: why }) => why)).toEqual([
    'flow_was_not_active',
  ]);
  expect(explainSilence(facts({ events: [early], trips: [] })).reason).toBe('flow_was_not_active');
});

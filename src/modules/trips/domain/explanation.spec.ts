import type { Step } from '../../flows/domain/step.js';
import { explain, type ExplanationInputs } from './explanation.js';
import type { TripConversion } from './trip-timeline.js';
import type { TripWithHistory } from './trip-with-history.js';
import type { TripMessage } from './trip-message.js';
import type { HistoryEntry } from './trip-history.js';

const START = new Date('2026-03-02T09:00:00Z');
const LATER = new Date('2026-03-04T09:00:00Z');

const steps: Step[] = [
  { type: 'update_contact', set: { plan: 'pro' }, id: 1 },
  {
    type: 'conditional_split',
    id: 2,
    branches: [
      {
        name: 'VIP',
        check: { source: 'contact', field: 'tags', operator: 'contains_any', value: ['vip'] },
        steps: [
          { type: 'wait', duration: '2d', id: 3 },
          { type: 'send_email', templateSlug: 'welcome', id: 4 },
        ],
      },
    ],
  },
  {
    type: 'condition',
    id: 5,
    check: { source: 'latest_event', eventName: 'bought', exists: true, within: '7d' },
    onTrue: 'skip_to_end',
  },
  { type: 'ab_split', id: 6, variants: [{ name: 'A', percentage: 100 }] },
];

const at = (
  moment: Date,
  stepId: number,
  outcome: HistoryEntry['outcome'],
  more: Partial<HistoryEntry> = {},
): HistoryEntry => ({
  at: moment,
  stepId,
  outcome,
  ...more,
});

const trip = (more: Partial<TripWithHistory> = {}): TripWithHistory => ({
  id: 'trip 1',
  flowId: 'flow 1',
  flowVersion: 3,
  contactId: 'contact 1',
  triggerEventId: 'event 1',
  lastStep: 3,
  startedAt: START,
  status: 'paused',
  resumeAt: LATER,
  completedAt: null,
  endedReason: null,
  history: [],
  ...more,
});

const message = (more: Partial<TripMessage> = {}): TripMessage => ({
  id: 'log 1',
  stepId: 4,
  isRepetition: false,
  templateSlug: 'welcome',
  status: 'queued',
  errorCode: null,
  suppressedReason: null,
  heldBy: null,
  gates: [],
  heldUntil: null,
  cap: null,
  attempts: 0,
  nextAttemptAt: LATER,
  sentAt: null,
  createdAt: START,
  ...more,
});

const facts = (more: Partial<ExplanationInputs> = {}): ExplanationInputs => ({
  trip: trip(),
  steps,
  messages: [],
  conversions: [],
  deadLetter: undefined,
  withValues: true,
  ...more,
});

test('each decision is told with its step, its reason and what was seen', () => {
  const trail = [
    at(START, 1, 'updated'),
    at(START, 2, 'branch 0', { facts: { asked: [{ branch: 0, holds: true }] }, values: { asked: [] } }),
    at(START, 3, 'parked', { facts: { resume_at: LATER.toISOString() } }),
    at(LATER, 4, 'sent'),
    at(LATER, 4, 'message_suppressed'),
    at(LATER, 5, 'continue', { facts: { holds: false } }),
    at(LATER, 6, 'variant A', { facts: { drawn: 41.25 } }),
  ];
  const over = trip({
    history: trail,
    status: 'completed',
    completedAt: LATER,
    endedReason: 'finished',
    resumeAt: null,
  });
  const suppressed = message({ status: 'suppressed', suppressedReason: 'unsubscribed' });
  const { decisions, waitsFor, end } = explain(facts({ trip: over, messages: [suppressed] }), LATER);
  expect(decisions.map(({ stepPath, reason, detail }) => [stepPath, reason, detail])).toEqual([
    [null, 'trigger_event', 'Entered version 3 of the flow with the event event 1.'],
    ['steps[0]', 'contact_updated', 'Sets plan on the contact.'],
    [
      'steps[1]',
      'branch_taken',
      'Takes branches[0] (“VIP”), since it matches: contact tags contains_any ["vip"].',
    ],
    ['steps[1].branches[0].steps[0]', 'wait', 'Waits 2d, until 2026-03-04T09:00:00.000Z.'],
    ['steps[1].branches[0].steps[0]', 'wait_over', 'The wait ended.'],
    ['steps[1].branches[0].steps[1]', 'message_asked_for', 'Sends the email “welcome”.'],
    [
      'steps[1].branches[0].steps[1]',
      'unsubscribed',
      'The email “welcome” was not sent because the contact is unsubscribed.',
    ],
    ['steps[2]', 'check_fails', 'Checks “has bought within 7d”: no. Continues.'],
    ['steps[3]', 'variant_drawn', 'Draws 41.25 of 100 and takes the variant A.'],
    [null, 'finished', 'It went through all of its steps.'],
  ]);
  expect(decisions[1]?.facts).toEqual({ set: { plan: 'pro' } });
  expect(decisions[2]).toMatchObject({
    outcome: 'branch',
    way: '0',
    wayName: 'VIP',
    facts: {
      asked: [{ branch: 0, holds: true, operator: 'contains_any', expected: ['vip'] }],
      values: { asked: [] },
    },
  });
  expect(decisions[7]).toMatchObject({
    outcome: 'continue',
    way: 'false',
    wayName: 'no',
    facts: { holds: false, expected: { exists: true, within: '7d' } },
  });
  expect(decisions[8]).toMatchObject({ outcome: 'variant', way: '0', wayName: 'A' });
  expect(waitsFor).toBeNull();
  expect(end).toEqual({ at: LATER, reason: 'finished', detail: 'It went through all of its steps.' });
});

test('what was seen of the contact is for those who may read it', () => {
  const trail = [at(START, 5, 'continue', { facts: { holds: true }, values: { value: 'secret' } })];
  const { decisions } = explain(facts({ trip: trip({ history: trail }), withValues: false }), START);
  expect(decisions[1]?.facts).toEqual({ holds: true, expected: { exists: true, within: '7d' } });
});

const OUTSIDE: readonly (readonly [HistoryEntry, string, string])[] = [
  [
    at(START, 0, 'ended', { facts: { reason: 'ended_by_hand', by: 'member 1' } }),
    'ended_by_hand',
    'The trip was ended. A user ended it. By member 1.',
  ],
  [
    at(START, 0, 'ended', { facts: { reason: 'flow_stopped' } }),
    'flow_stopped',
    'The trip was ended. Its flow was stopped.',
  ],
  [
    at(START, 0, 'failed', { facts: { reason: 'invalid_step' } }),
    'invalid_step',
    'The trip cannot continue. Its next step is stored in an invalid form.',
  ],
  [
    at(START, 3, 'wait_skipped', { facts: { by: 'member 1' } }),
    'skipped_by_hand',
    'A user ended the wait early. By member 1.',
  ],
  [
    at(START, 0, 'retried', { facts: { by: 'member 1' } }),
    'retried_by_hand',
    'A user retried the trip. By member 1.',
  ],
  [at(START, 0, 'gap'), 'trail_shortened', 'Decisions in between are no longer stored.'],
  [at(START, 99, 'sent'), 'sent', 'The step no longer exists.'],
];

test.each(OUTSIDE.map(([entry, reason, detail]) => ({ entry, reason, detail })))(
  'what happened from outside: $reason',
  ({ entry, reason, detail }) => {
    const { decisions } = explain(facts({ trip: trip({ history: [entry] }) }), START);
    expect(decisions[1]).toMatchObject({ reason, detail });
  },
);

const WAITS: readonly (readonly [string, Partial<ExplanationInputs>, object])[] = [
  ['a wait', {}, { kind: 'time', until: LATER }],
  ['a wait that is over', { trip: trip({ resumeAt: START }) }, { kind: 'engine', until: START }],
  [
    'a message that a gate holds back',
    {
      trip: trip({ status: 'awaiting_send', lastStep: 4, resumeAt: null }),
      messages: [message({ heldBy: 'throttle' })],
    },
    {
      kind: 'message',
      until: LATER,
      detail: 'Its email is waiting for its turn in the flow’s throttle, until 2026-03-04T09:00:00.000Z.',
    },
  ],
  [
    'a message that is being sent',
    {
      trip: trip({ status: 'awaiting_send', lastStep: 4, resumeAt: null }),
      messages: [message({ status: 'sending' })],
    },
    { kind: 'message', until: null },
  ],
  [
    'the message of its step, not that of another one or a repetition',
    {
      trip: trip({ status: 'awaiting_send', lastStep: 4, resumeAt: null }),
      messages: [
        message({ id: 'log 0', stepId: 2, status: 'sent' }),
        message({ id: 'log 2', isRepetition: true, status: 'failed' }),
        message({ status: 'sending' }),
      ],
    },
    { kind: 'message', until: null },
  ],
  [
    'a message of which it was not told',
    {
      trip: trip({ status: 'awaiting_send', lastStep: 4, resumeAt: null }),
      messages: [message({ status: 'sent' })],
    },
    { kind: 'nothing', until: null },
  ],
  [
    'a person',
    {
      trip: trip({ resumeAt: null }),
      deadLetter: { code: 'product_fault', reason: 'It failed.', at: START },
    },
    { kind: 'person', until: null, detail: 'It is a dead letter: It failed.' },
  ],
  ['nothing', { trip: trip({ resumeAt: null }) }, { kind: 'nothing', until: null }],
];

test.each(WAITS.map(([name, more, expected]) => ({ name, more, expected })))(
  'a trip waits for $name',
  ({ more, expected }) => {
    expect(explain(facts(more), START).waitsFor).toMatchObject(expected);
  },
);

const outcomesOf = (more: Partial<ExplanationInputs>): unknown[] =>
  explain(facts(more), LATER).decisions.map(({ outcome, stepId }) => [outcome, stepId]);

test('a wait that was cut short, and the end of any, is told of its step; what people asked for meanwhile ends none', () => {
  const trail = [
    at(START, 3, 'parked'),
    at(START, 4, 'sent_again'),
    at(START, 0, 'wait_skipped'),
    at(LATER, 4, 'sent'),
  ];
  expect(outcomesOf({ trip: trip({ history: trail }) })).toEqual([
    ['entered', null],
    ['parked', 3],
    ['sent_again', 4],
    ['wait_skipped', 3],
    ['resumed', 3],
    ['sent', 4],
  ]);
});

test('a wait during which the trip was ended is not over', () => {
  const trail = [at(START, 3, 'parked'), at(LATER, 0, 'ended', { facts: { reason: 'flow_stopped' } })];
  expect(outcomesOf({ trip: trip({ history: trail }) })).toEqual([
    ['entered', null],
    ['parked', 3],
    ['ended', null],
  ]);
});

test('a message that was asked for again behind the end is told behind it', () => {
  const trail = [at(START, 3, 'parked'), at(LATER, 4, 'sent_again')];
  const over = trip({ history: trail, status: 'completed', completedAt: START, endedReason: 'finished' });
  expect(outcomesOf({ trip: over })).toEqual([
    ['entered', null],
    ['parked', 3],
    ['resumed', 3],
    ['completed', null],
    ['sent_again', 4],
  ]);
});

const conversion = (more: Partial<TripConversion> = {}): TripConversion => ({
  goalId: 'goal 1',
  goalName: 'Bought',
  eventName: 'bought',
  eventId: 'event 9',
  occurredAt: START,
  recordedAt: START,
  exits: false,
  ...more,
});

test('conversions are told at their moments, and the one that ended the trip with its end', () => {
  const trail = [at(START, 3, 'parked'), at(LATER, 0, 'ended', { facts: { reason: 'goal_conversion' } })];
  const conversions = [
    conversion({ recordedAt: new Date(START.getTime() + 1) }),
    conversion({ goalId: 'goal 2', goalName: 'Paid', eventId: 'event 10', recordedAt: LATER, exits: true }),
    conversion({ eventId: 'event 11', recordedAt: new Date(LATER.getTime() + 1) }),
  ];
  const { decisions } = explain(facts({ trip: trip({ history: trail }), conversions }), LATER);
  expect(decisions.map(({ reason, facts: reported }) => [reason, reported['event_id']])).toEqual([
    ['trigger_event', 'event 1'],
    ['wait', undefined],
    ['goal_reached', 'event 9'],
    ['goal_reached', 'event 10'],
    ['goal_conversion', 'event 10'],
    ['goal_reached', 'event 11'],
  ]);
  expect(decisions[4]?.detail).toBe(
    'The trip was ended. Its contact reached a goal that ends the trip: the goal “Paid”, with the event “bought” event 10.',
  );
});

test('a message is told with the gates that it met, how long they took, and what of a cap was used', () => {
  const heldUntil = new Date(START.getTime() + 14.5 * 3_600_000);
  const held = message({
    status: 'suppressed',
    suppressedReason: 'frequency_cap',
    gates: ['send_window', 'frequency_cap'],
    heldUntil,
    cap: { sent: 3, max: 3, periodHours: 24 },
  });
  const trail = [at(START, 4, 'sent'), at(LATER, 4, 'message_suppressed')];
  const { decisions, messages } = explain(facts({ trip: trip({ history: trail }), messages: [held] }), LATER);
  const explained = {
    detail:
      'The email “welcome” was not sent because the contact had already received 3 of the 3 messages that the frequency cap allows in 24 h.' +
      ' It was held back for 14.5 h by send window, until 2026-03-02T23:30:00.000Z.',
    facts: {
      email_log_id: 'log 1',
      gates: ['send_window', 'frequency_cap'],
      held_until: '2026-03-02T23:30:00.000Z',
      held_seconds: 52_200,
      cap: { sent: 3, max: 3, period_hours: 24 },
    },
  };
  expect(decisions[2]).toMatchObject({ stepId: 4, reason: 'frequency_cap', ...explained });
  expect(messages[0]).toMatchObject(explained);
});

test('addresses that a flow asks for or sets are masked for those who may not read contacts', () => {
  const own: Step[] = [
    { type: 'update_contact', set: { email: 'ada@example.com' }, id: 1 },
    {
      type: 'condition',
      id: 2,
      check: { source: 'contact', field: 'email', operator: 'equals', value: 'ada@example.com' },
    },
  ];
  const trail = [at(START, 1, 'updated'), at(START, 2, 'continue', { facts: { holds: true } })];
  const explanationText = (withValues: boolean): string =>
    JSON.stringify(explain(facts({ trip: trip({ history: trail }), steps: own, withValues }), LATER));
  expect([explanationText(true), explanationText(false)]).toEqual([
    expect.stringContaining('ada@example.com'),
    expect.not.stringContaining('ada@'),
  ]);
  expect(explanationText(false)).toContain('"set":{"email":"a***@e***.com"}');
  const { decisions } = explain(
    facts({ trip: trip({ history: trail }), steps: own, withValues: false }),
    LATER,
  );
  expect(decisions[2]).toMatchObject({ reason: 'check_asked', way: null, wayName: null, facts: {} });
});

import type { Step } from '../../flows/domain/step.js';
import { explain, type ExplanationFacts } from './explanation.js';
import type { KeptTrip } from './kept-trip.js';
import type { TripMessage } from './message-words.js';
import type { TrailEntry } from './trail.js';

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

const at = (moment: Date, stepId: number, outcome: string, more: Partial<TrailEntry> = {}): TrailEntry => ({
  at: moment,
  stepId,
  outcome,
  ...more,
});

const trip = (more: Partial<KeptTrip> = {}): KeptTrip => ({
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
  trail: [],
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
  attempts: 0,
  nextAttemptAt: LATER,
  sentAt: null,
  createdAt: START,
  ...more,
});

const facts = (more: Partial<ExplanationFacts> = {}): ExplanationFacts => ({
  trip: trip(),
  steps,
  messages: [],
  setAside: undefined,
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
    trail,
    status: 'completed',
    completedAt: LATER,
    endedReason: 'finished',
    resumeAt: null,
  });
  const suppressed = message({ status: 'suppressed', suppressedReason: 'unsubscribed' });
  const { decisions, waitsFor, end } = explain(facts({ trip: over, messages: [suppressed] }), LATER);
  expect(decisions.map(({ stepPath, reason, detail }) => [stepPath, reason, detail])).toEqual([
    [null, 'trigger_event', 'Entered version 3 of the flow by the event event 1.'],
    ['steps[0]', 'contact_updated', 'Sets plan on the contact.'],
    [
      'steps[1]',
      'branch_taken',
      'Takes the branch 1 (“VIP”), since the contact’s tags contains any ["vip"].',
    ],
    ['steps[1].branches[0].steps[0]', 'wait', 'Waits 2d, until 2026-03-04T09:00:00.000Z.'],
    ['steps[1].branches[0].steps[0]', 'wait_over', 'The wait was over.'],
    ['steps[1].branches[0].steps[1]', 'message_asked_for', 'Asks for the email “welcome”.'],
    [
      'steps[1].branches[0].steps[1]',
      'unsubscribed',
      'The email “welcome” was not sent, since the contact is unsubscribed.',
    ],
    ['steps[2]', 'check_fails', 'Asks whether there is an event “bought” within 7d: no. Goes on.'],
    ['steps[3]', 'variant_drawn', 'Draws 41.25 of 100 and takes the variant A.'],
    [null, 'finished', 'It went through all of its steps.'],
  ]);
  expect(decisions[2]?.facts).toEqual({ asked: [{ branch: 0, holds: true }], values: { asked: [] } });
  expect(waitsFor).toBeNull();
  expect(end).toEqual({ at: LATER, reason: 'finished', detail: 'It went through all of its steps.' });
});

test('what was seen of the contact is for those who may read it', () => {
  const trail = [at(START, 5, 'continue', { facts: { holds: true }, values: { value: 'secret' } })];
  const { decisions } = explain(facts({ trip: trip({ trail }), withValues: false }), START);
  expect(decisions[1]?.facts).toEqual({ holds: true });
});

const OUTSIDE: readonly (readonly [TrailEntry, string, string])[] = [
  [
    at(START, 0, 'ended', { facts: { reason: 'ended_by_hand', by: 'member 1' } }),
    'ended_by_hand',
    'The trip was ended. Somebody ended it by hand. By member 1.',
  ],
  [
    at(START, 0, 'ended', { facts: { reason: 'flow_stopped' } }),
    'flow_stopped',
    'The trip was ended. Its flow was stopped.',
  ],
  [
    at(START, 0, 'failed', { facts: { reason: 'invalid_step' } }),
    'invalid_step',
    'The trip cannot go on. Its next step cannot be taken as it is stored.',
  ],
  [
    at(START, 3, 'wait_skipped', { facts: { by: 'member 1' } }),
    'skipped_by_hand',
    'The wait was cut short by hand. By member 1.',
  ],
  [
    at(START, 0, 'retried', { facts: { by: 'member 1' } }),
    'retried_by_hand',
    'The trip was taken up again by hand. By member 1.',
  ],
  [at(START, 0, 'gap'), 'trail_shortened', 'Decisions in between are no longer kept.'],
  [at(START, 99, 'sent'), 'sent', 'The step is no longer known.'],
];

test.each(OUTSIDE.map(([entry, reason, detail]) => ({ entry, reason, detail })))(
  'what happened from outside: $reason',
  ({ entry, reason, detail }) => {
    const { decisions } = explain(facts({ trip: trip({ trail: [entry] }) }), START);
    expect(decisions[1]).toMatchObject({ reason, detail });
  },
);

const WAITS: readonly (readonly [string, Partial<ExplanationFacts>, object])[] = [
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
      detail: 'Its email waits for its turn in the flow’s throttle, until 2026-03-04T09:00:00.000Z.',
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
    'a message of which it was not told',
    {
      trip: trip({ status: 'awaiting_send', lastStep: 4, resumeAt: null }),
      messages: [message({ status: 'sent' })],
    },
    { kind: 'nothing', until: null },
  ],
  [
    'a person',
    { trip: trip({ resumeAt: null }), setAside: { code: 'product_fault', reason: 'It failed.', at: START } },
    { kind: 'person', until: null, detail: 'It was set aside: It failed.' },
  ],
  ['nothing', { trip: trip({ resumeAt: null }) }, { kind: 'nothing', until: null }],
];

test.each(WAITS.map(([name, more, expected]) => ({ name, more, expected })))(
  'a trip waits for $name',
  ({ more, expected }) => {
    expect(explain(facts(more), START).waitsFor).toMatchObject(expected);
  },
);

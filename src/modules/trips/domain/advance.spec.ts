import fc from 'fast-check';
import { NOTHING_KNOWN, NOW } from '../../../../test/support/trip-facts.js';
import type { Check } from '../../flows/domain/check.js';
import { assignStepIds } from '../../flows/domain/step-identity.js';
import type { NewStep } from '../../flows/domain/step.js';
import { advance, type DecisionInputs } from './advance.js';
import type { Decision } from './decision.js';
import { drawOf } from './variant.js';
import { stateAfter } from './trip-state-update.js';

const send: NewStep = { type: 'send_email', templateSlug: 'hi' };
const wait: NewStep = { type: 'wait', duration: '2d' };
const set: NewStep = { type: 'update_contact', set: { plan: 'pro' } };
const IN_TWO_DAYS = new Date('2026-03-04T09:00:00.000Z');
const HOUR = 3_600_000;

const knowing = (steps: readonly NewStep[], more: Partial<DecisionInputs> = {}): DecisionInputs => ({
  ...NOTHING_KNOWN,
  steps: assignStepIds(steps),
  ...more,
});
const at = (lastStep: number, id = 'a trip') => ({ id, lastStep });
/** The decision, without the message of a send. */
const decisionOf = (lastStep: number, facts: DecisionInputs): object => {
  const { decision } = advance(at(lastStep), facts, NOW);
  return decision.kind === 'send' ? { kind: 'send', lastStep: decision.lastStep } : decision;
};

describe('steps one behind the other', () => {
  test.each<[string, readonly NewStep[], number, object, number]>([
    ['no step at all', [], 0, { kind: 'complete', lastStep: 0, reason: 'finished' }, 0],
    ['behind the last step', [send], 1, { kind: 'complete', lastStep: 1, reason: 'finished' }, 0],
    ['a message', [send, wait], 0, { kind: 'send', lastStep: 1 }, 0],
    ['a wait', [send, wait], 1, { kind: 'park', lastStep: 2, resumeAt: IN_TWO_DAYS }, 0],
    ['an update, to the end', [set], 0, { kind: 'complete', lastStep: 1, reason: 'finished' }, 1],
    ['updates on the way to a message', [set, set, send], 0, { kind: 'send', lastStep: 3 }, 2],
    [
      'only the updates that are still ahead',
      [set, wait, set, wait],
      2,
      { kind: 'park', lastStep: 4, resumeAt: IN_TWO_DAYS },
      1,
    ],
    [
      'a wait that no release understands: the trip stays before it',
      [set, { type: 'wait', duration: 'soon' }],
      0,
      { kind: 'fail', lastStep: 1, reason: 'invalid_step' },
      1,
    ],
    ['a step that is gone', [send], 7, { kind: 'fail', lastStep: 7, reason: 'invalid_step' }, 0],
  ])('%s', (_, steps, from, decision, updates) => {
    expect(decisionOf(from, knowing(steps))).toEqual(decision);
    expect(advance(at(from), knowing(steps), NOW).contactUpdates).toHaveLength(updates);
  });

  test.each([
    [{ steps: undefined }, { kind: 'fail', reason: 'definition_missing' }],
    [{ contactStatus: 'missing' }, { kind: 'fail', reason: 'contact_missing' }],
    [{ contactStatus: 'deleted' }, { kind: 'terminate', reason: 'contact_deleted' }],
  ] as const)('what is gone ends the trip with its reason: %j', (more, decision) => {
    expect(advance(at(0), { ...knowing([send]), ...more }, NOW).decision).toMatchObject(decision);
  });

  test.each([
    null,
    'wait',
    {},
    { id: 2, type: 'send_fax' },
    { id: 2, type: 'condition' },
    { id: 2, type: 'condition', check: { source: 'weather' } },
    { id: 2, type: 'condition', check: { source: 'contact', field: 'shoe_size', operator: 'is' } },
    {
      id: 2,
      type: 'condition',
      check: { source: 'latest_event', eventName: 'a', exists: true, within: 'x' },
    },
    { id: 2, type: 'conditional_split' },
    { id: 2, type: 'ab_split', variants: [] },
    { id: 2, type: 'update_contact', set: null },
  ])('what another hand has stored fails the trip, and nothing else: %j', (step) => {
    const steps = [...assignStepIds([set]), step as never];
    expect(decisionOf(0, { ...NOTHING_KNOWN, steps })).toEqual({
      kind: 'fail',
      lastStep: 1,
      reason: 'invalid_step',
    });
  });
});

/** Sends a message if the check holds; otherwise skips to the end. */
const asks = (check: Check): NewStep[] => [{ type: 'condition', check, onFalse: 'skip_to_end' }, send];
const ordered = (more: object = {}): Check => ({
  source: 'latest_event',
  eventName: 'order_placed',
  exists: true,
  ...more,
});
const anHourAgo = new Date(NOW.getTime() - HOUR);
const latest = (attributes: object = {}, occurredAt = anHourAgo): Partial<DecisionInputs> => ({
  latestEvents: new Map([['order_placed', { attributes: { ...attributes }, occurredAt }]]),
});
const contact = NOTHING_KNOWN.contact!;
const pro: Partial<DecisionInputs> = { contact: { ...contact, properties: { plan: 'pro' }, tags: ['vip'] } };

describe('checks', () => {
  test.each<[string, Check, Partial<DecisionInputs>, boolean]>([
    ['there is no such event', ordered(), {}, false],
    ['there is one', ordered(), latest(), true],
    ['there must be none, and is', ordered({ exists: false }), latest(), false],
    ['there must be none, and is none', ordered({ exists: false }), {}, true],
    ['within the time', ordered({ within: '60m' }), latest(), true],
    ['longer ago', ordered({ within: '59m' }), latest(), false],
    ['none within the time', ordered({ within: '59m', exists: false }), latest(), true],
    ['attributes that match', ordered({ attributes: { sku: 'A' } }), latest({ sku: 'A', n: 2 }), true],
    ['attributes that do not', ordered({ attributes: { sku: 'A' } }), latest({ sku: 'B' }), false],
    [
      'a property that is equal, whatever its case',
      { source: 'contact', field: 'properties.plan', operator: 'equals', value: 'PRO' },
      pro,
      true,
    ],
    ['one that is not there', { source: 'contact', field: 'properties.plan', operator: 'exists' }, {}, false],
    ['a tag', { source: 'contact', field: 'tags', operator: 'contains', value: 'vip' }, pro, true],
    [
      'an attribute of the event that started the trip',
      { source: 'trigger_event', attribute: 'cart.total', operator: 'greater_than', value: 99 },
      { triggerAttributes: { cart: { total: 100 } } },
      true,
    ],
    [
      'the same of an event that is kept no longer',
      { source: 'trigger_event', attribute: 'cart.total', operator: 'greater_than', value: 99 },
      { triggerAttributes: undefined },
      false,
    ],
    [
      'a segment',
      { source: 'segment', segmentId: 'S', member: true },
      { isMember: (id) => id === 's' },
      true,
    ],
    ['none of its members', { source: 'segment', segmentId: 'S', member: false }, {}, true],
  ])('%s', (_, check, facts, holds) => {
    const { decision, trace } = advance(at(0), knowing(asks(check), facts), NOW);
    expect(decision).toMatchObject(
      holds ? { kind: 'send', lastStep: 2 } : { kind: 'complete', lastStep: 1, reason: 'skipped_to_end' },
    );
    expect(trace[0]).toMatchObject({
      stepId: 1,
      type: 'condition',
      outcome: holds ? 'continue' : 'skip_to_end',
      facts: { holds },
    });
  });

  test('a check sees what a step of the same trip has just set', () => {
    const steps = [
      set,
      ...asks({ source: 'contact', field: 'properties.plan', operator: 'equals', value: 'pro' }),
    ];
    expect(decisionOf(0, knowing(steps))).toEqual({ kind: 'send', lastStep: 3 });
    expect(advance(at(0), knowing(steps), NOW).contact?.properties).toEqual({ plan: 'pro' });
  });
});

describe('splits', () => {
  const split: NewStep = {
    type: 'conditional_split',
    branches: [
      { check: ordered(), steps: [wait, set], onTrue: 'skip_to_end' },
      { check: { source: 'contact', field: 'tags', operator: 'contains', value: 'vip' }, steps: [set] },
    ],
  };
  // Ids: 1 is the split, 2 the wait, 3 and 4 updates, 5 the message after the split.
  const steps = [split, send];

  test.each<[string, Partial<DecisionInputs>, number, object, number]>([
    [
      'the first branch whose check holds',
      { ...latest(), ...pro },
      0,
      { kind: 'park', lastStep: 2, resumeAt: IN_TWO_DAYS },
      0,
    ],
    [
      'the rest of a branch, and where it leads',
      {},
      2,
      { kind: 'complete', lastStep: 3, reason: 'skipped_to_end' },
      1,
    ],
    ['the end of the second branch, and what follows the split', {}, 4, { kind: 'send', lastStep: 5 }, 0],
    ['the second branch, and what follows the split', pro, 0, { kind: 'send', lastStep: 5 }, 1],
    ['no branch', {}, 0, { kind: 'send', lastStep: 5 }, 0],
  ])('%s', (_, facts, from, decision, updates) => {
    expect(decisionOf(from, knowing(steps, facts))).toEqual(decision);
    expect(advance(at(from), knowing(steps, facts), NOW).contactUpdates).toHaveLength(updates);
  });

  test('the branch without a check is taken when no other is', () => {
    const withDefault: NewStep = {
      type: 'conditional_split',
      branches: [{ check: ordered(), steps: [wait] }, { steps: [send] }],
    };
    expect(decisionOf(0, knowing([withDefault]))).toEqual({ kind: 'send', lastStep: 3 });
  });

  test('a variant is the same for the same trip, and trips are shared out as the percentages say', () => {
    const ab: NewStep = {
      type: 'ab_split',
      variants: [
        { name: 'A', percentage: 12.5, steps: [send] },
        { name: 'B', percentage: 87.5, steps: [wait] },
      ],
    };
    const taken = (trip: number): Decision['kind'] =>
      advance(at(0, `trip ${trip}`), knowing([ab]), NOW).decision.kind;
    const trips = Array.from({ length: 8_000 }, (_, trip) => taken(trip));
    expect(trips.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, trip) => taken(trip)));
    const sent = trips.filter((kind) => kind === 'send').length;
    expect(sent).toBeGreaterThan(900);
    expect(sent).toBeLessThan(1_100);
  });

  test('what was decided is told of each step, with what was seen', () => {
    const { trace } = advance(at(0), knowing([split, ...Array.from({ length: 150 }, () => set)], pro), NOW);
    expect(trace).toHaveLength(152);
    expect(trace[0]).toEqual({
      stepId: 1,
      type: 'conditional_split',
      outcome: 'branch 1',
      way: '1',
      facts: {
        asked: [
          { branch: 1, holds: true, field: 'tags' },
          { branch: 0, holds: false, event_name: 'order_placed', occurred_at: null },
        ],
      },
      values: { asked: [{ branch: 1, value: ['vip'] }] },
    });
    expect(trace[1]).toEqual({ stepId: 4, type: 'update_contact', outcome: 'updated', way: '' });
  });

  test('of a condition it is told whether it held, of a draw the number', () => {
    const steps: NewStep[] = [
      {
        type: 'condition',
        check: { source: 'latest_event', eventName: 'order_placed', exists: false },
        onTrue: 'continue',
      },
      { type: 'ab_split', variants: [{ name: 'A', percentage: 100 }] },
    ];
    expect(advance(at(0, 'trip 1'), knowing(steps), NOW).trace).toEqual([
      {
        stepId: 1,
        type: 'condition',
        outcome: 'continue',
        way: 'true',
        facts: { holds: true, event_name: 'order_placed', occurred_at: null },
      },
      { stepId: 2, type: 'ab_split', outcome: 'variant A', way: '0', facts: { drawn: drawOf('trip 1', 2) } },
    ]);
  });
});

describe('the trace', () => {
  const traceOf = (steps: readonly NewStep[], facts: Partial<DecisionInputs> = {}) =>
    advance(at(0), knowing(steps, facts), NOW).trace;

  test('tells until when a trip waits, and that a message is sent', () => {
    expect(traceOf([wait])).toEqual([
      {
        ...{ stepId: 1, type: 'wait', outcome: 'parked', way: '' },
        facts: { resume_at: IN_TWO_DAYS.toISOString() },
      },
    ]);
    expect(traceOf([send])).toEqual([{ stepId: 1, type: 'send_email', outcome: 'sent', way: '' }]);
  });

  test('tells of the event that a condition asks about, and what it asks of its attributes', () => {
    const check = ordered({ attributes: { sku: 'A', size: 'L' } });
    const occurredAt = anHourAgo;
    const event = { eventId: 'event 1', attributes: { sku: 'B', other: 1 }, occurredAt };
    expect(traceOf(asks(check), { latestEvents: new Map([['order_placed', event]]) })).toEqual([
      {
        ...{ stepId: 1, type: 'condition', outcome: 'skip_to_end', way: 'false' },
        facts: {
          ...{ holds: false, event_name: 'order_placed' },
          ...{ occurred_at: occurredAt.toISOString(), event_id: 'event 1' },
        },
        values: { attributes: { sku: 'B', size: null } },
      },
    ]);
  });

  test.each<[Check, Partial<DecisionInputs>, object, object | undefined]>([
    [
      { source: 'segment', segmentId: 'S', member: true },
      { isMember: () => true },
      { holds: true, segment_id: 'S', member: true },
      undefined,
    ],
    [
      { source: 'contact', field: 'properties.plan', operator: 'equals', value: 'pro' },
      {},
      { holds: false, field: 'properties.plan' },
      { value: null },
    ],
    [
      { source: 'contact', field: 'properties.plan', operator: 'equals', value: 'free' },
      pro,
      { holds: false, field: 'properties.plan' },
      { value: 'pro' },
    ],
    [
      { source: 'trigger_event', attribute: 'cart.total', operator: 'exists' },
      { triggerAttributes: { cart: { total: 7 } } },
      { holds: true, attribute: 'cart.total', kept: true },
      { value: 7 },
    ],
    [
      { source: 'trigger_event', attribute: 'cart.total', operator: 'exists' },
      { triggerAttributes: undefined },
      { holds: false, attribute: 'cart.total', kept: false },
      { value: null },
    ],
  ])('tells what %j has seen', (check, facts, seen, values) => {
    const [step] = traceOf(asks(check), facts);
    expect([step?.facts, step?.values]).toEqual([seen, values]);
  });

  test('tells of a split without a branch for the contact what was asked', () => {
    const split: NewStep = {
      type: 'conditional_split',
      branches: [
        { check: ordered(), steps: [send] },
        { check: { source: 'segment', segmentId: 'S', member: true }, steps: [send] },
      ],
    };
    expect(traceOf([split])).toEqual([
      {
        ...{ stepId: 1, type: 'conditional_split', outcome: 'no branch', way: 'none' },
        facts: {
          asked: [
            { branch: 1, holds: false, segment_id: 'S', member: false },
            { branch: 0, holds: false, event_name: 'order_placed', occurred_at: null },
          ],
        },
      },
    ]);
  });
});

test('it is a function of its arguments alone', () => {
  const step = fc.constantFrom(send, wait, set);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), fc.nat(10), (steps, from) => {
      expect(advance(at(from), knowing(steps), NOW)).toEqual(advance(at(from), knowing(steps), NOW));
    }),
  );
});

describe('stateAfter', () => {
  const over = { resumeAt: null, completedAt: NOW };
  test.each<[Decision, object]>([
    [
      { kind: 'park', lastStep: 2, resumeAt: IN_TWO_DAYS },
      { status: 'paused', lastStep: 2, resumeAt: IN_TWO_DAYS, completedAt: null, endedReason: null },
    ],
    [
      { kind: 'send', lastStep: 1, message: { type: 'send_email', templateSlug: 'hi' } },
      { status: 'awaiting_send', lastStep: 1, resumeAt: null, completedAt: null, endedReason: null },
    ],
    [
      { kind: 'complete', lastStep: 3, reason: 'finished' },
      { ...over, status: 'completed', lastStep: 3, endedReason: 'finished' },
    ],
    [
      { kind: 'terminate', lastStep: 3, reason: 'contact_deleted' },
      { ...over, status: 'terminated', lastStep: 3, endedReason: 'contact_deleted' },
    ],
    [
      { kind: 'fail', lastStep: 0, reason: 'contact_missing' },
      { ...over, status: 'failed', lastStep: 0, endedReason: 'contact_missing' },
    ],
  ])('$kind', (decision, state) => {
    expect(stateAfter(decision, NOW)).toEqual(state);
  });
});

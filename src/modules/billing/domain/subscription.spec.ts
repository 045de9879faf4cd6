/** Whatever order events are told in, they come to the same (gate R9). */
import fc from 'fast-check';

import { isChange, type BillingEvent, type BillingMeaning } from './billing-event.js';
import type { BillingRecord } from '../../workspaces/domain/workspace.js';
import { standingAfter } from './billing-standing.js';
import { afterEvent, aliveness, beginsPeriod, untold, type Subscription } from './subscription.js';
import { runs } from '../../../../test/support/test-scope.js';

const FREE: BillingRecord = {
  plan: 'free',
  status: 'active',
  suspendedReason: null,
  paymentSubscriptionId: null,
  paymentCustomerId: null,
};

const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1 + n));

function event(meaning: BillingMeaning, at: number, more: Partial<BillingEvent> = {}): BillingEvent {
  return {
    type: meaning,
    meaning,
    at: day(at),
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    workspaceId: null,
    plan: meaning === 'cancelled' ? null : 'growth',
    periodStart: null,
    periodEnd: null,
    renewsSilently: false,
    ...more,
  };
}

/** The standing after events of any subscriptions, told in that order to a workspace that begins with `present`. */
function told(events: readonly BillingEvent[], present = FREE): BillingRecord {
  const known = new Map<string, Subscription>();
  let standing = present;
  if (present.paymentSubscriptionId !== null)
    known.set(present.paymentSubscriptionId, untold(present.paymentSubscriptionId, present.plan));
  for (const one of events.filter(isChange)) {
    const id = one.subscriptionId ?? '';
    known.set(id, afterEvent(known.get(id) ?? untold(id, standing.plan), one));
    standing = standingAfter(standing, [...known.values()]);
  }
  return standing;
}

describe('section 3.5, row by row', () => {
  test.each<[string, BillingEvent[], Partial<BillingRecord>]>([
    [
      'activated',
      [event('active', 1)],
      { plan: 'growth', status: 'active', paymentSubscriptionId: 'sub_1', paymentCustomerId: 'cus_1' },
    ],
    [
      'renewed with another plan',
      [event('active', 1), event('renewed', 2, { plan: 'starter' })],
      { plan: 'starter', status: 'active' },
    ],
    [
      'cancelled',
      [event('active', 1), event('cancelled', 2)],
      { plan: 'free', status: 'active', paymentSubscriptionId: null, paymentCustomerId: 'cus_1' },
    ],
    [
      'paused',
      [event('active', 1), event('paused', 2)],
      { plan: 'growth', status: 'suspended', suspendedReason: 'subscription_paused' },
    ],
    [
      'active again',
      [event('active', 1), event('paused', 2), event('active', 3)],
      { plan: 'growth', status: 'active', suspendedReason: null },
    ],
    [
      'renewed while paused',
      [event('active', 1), event('paused', 2), event('renewed', 3)],
      { status: 'suspended' },
    ],
    [
      'cancelled while paused',
      [event('active', 1), event('paused', 2), event('cancelled', 3)],
      { plan: 'free', status: 'active', suspendedReason: null },
    ],
    ['renewed after the end', [event('cancelled', 1), event('renewed', 2)], { plan: 'growth' }],
    ['an old activation after the end', [event('cancelled', 2), event('active', 1)], { plan: 'free' }],
  ])('%s', (_name, events, expected) => expect(told(events)).toMatchObject(expected));
});

test('a warning changes nothing', () => {
  const before = afterEvent(untold('sub_1', 'free'), event('active', 1));
  expect(afterEvent(before, event('warning', 2, { plan: null }))).toEqual(before);
});

test('the end of one subscription takes nothing from another, and the higher plan counts', () => {
  const other = (meaning: BillingMeaning, at: number, plan: string | null) =>
    event(meaning, at, { subscriptionId: 'sub_2', plan });
  const growth = event('active', 1);
  expect(told([growth, other('active', 2, 'starter')])).toMatchObject({
    plan: 'growth',
    paymentSubscriptionId: 'sub_1',
  });
  expect(told([growth, other('active', 2, 'starter'), other('cancelled', 3, null)])).toMatchObject({
    plan: 'growth',
    status: 'active',
  });
  expect(told([growth, other('active', 2, 'starter'), event('cancelled', 3)])).toMatchObject({
    plan: 'starter',
    paymentSubscriptionId: 'sub_2',
  });
  const present = { ...FREE, plan: 'growth', paymentSubscriptionId: 'sub_1' };
  expect(told([other('cancelled', 3, null)], present)).toMatchObject(present);
});

test('a period begins once: by a later renewal of another period, or where its end moves on silently', () => {
  const start = (at: number) => ({ periodStart: day(at) });
  const before = afterEvent(untold('sub_1', 'free'), event('renewed', 10, start(10)));
  expect(beginsPeriod(untold('sub_1', 'free'), event('renewed', 10))).toBe(true);
  for (const again of [
    event('renewed', 10, start(10)),
    // The same, sent once more under another moment.
    event('renewed', 11, start(10)),
    event('renewed', 9),
    event('active', 12, start(12)),
  ])
    expect(beginsPeriod(before, again)).toBe(false);
  expect(beginsPeriod(before, event('renewed', 40, start(40)))).toBe(true);
  const silent = (at: number, end: number) =>
    event('active', at, { renewsSilently: true, periodEnd: day(end) });
  const first = afterEvent(untold('sub_1', 'free'), silent(1, 30));
  expect(beginsPeriod(untold('sub_1', 'free'), silent(1, 30))).toBe(false);
  expect(beginsPeriod(first, silent(2, 30))).toBe(false);
  expect(beginsPeriod(first, silent(31, 60))).toBe(true);
});

const MEANINGS = ['active', 'renewed', 'paused', 'cancelled', 'warning'] as const;
const anyEvent = fc
  .record({
    meaning: fc.constantFrom(...MEANINGS),
    at: fc.nat({ max: 6 }),
    subscriptionId: fc.constantFrom('sub_1', 'sub_2', 'sub_3'),
    plan: fc.constantFrom('starter', 'growth', 'enterprise'),
  })
  .map(({ meaning, at, subscriptionId, plan }) =>
    event(meaning, at, {
      subscriptionId,
      plan: meaning === 'cancelled' || meaning === 'warning' ? null : plan,
    }),
  );

test('the order in which events are told, and how often, makes no difference', () => {
  fc.assert(
    fc.property(
      fc
        .array(anyEvent, { minLength: 1, maxLength: 8 })
        .chain((events) =>
          fc.tuple(
            fc.constant(events),
            fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
          ),
        ),
      ([events, shuffled]) => {
        expect(told(shuffled)).toEqual(told(events));
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test('what is paused stays so until it is told otherwise, by whichever renewal', () => {
  const paused = afterEvent(afterEvent(untold('s', 'free'), event('paused', 2)), event('renewed', 9));
  expect(aliveness(paused)).toBe('paused');
});

/**
 * Tests that events lead to the same result in any order (gate R9), and that a purchase in another customer's name can
 * only add to what a workspace has.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';

import { isChange, type BillingEvent, type BillingMeaning } from './billing-event.js';
import type { BillingState } from '../../workspaces/domain/workspace.js';
import { PLAN_NAMES, planOf, ratesOf } from '../../limits/domain/plan.js';
import { outcomeOf, outcomeOfConfirmation, PAUSED_REASON } from './billing-outcome.js';
import {
  afterEvent,
  subscriptionStatus,
  beginsPeriod,
  unreportedSubscription,
  type Subscription,
} from './subscription.js';
import { runs } from '../../../../test/support/test-scope.js';

const FREE: BillingState = {
  plan: 'free',
  status: 'active',
  suspendedReason: null,
  paymentSubscriptionId: null,
  paymentCustomerId: null,
  grantedPlan: null,
  customRates: {},
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
    confirmation: 'link',
    ...more,
  };
}

interface Story {
  readonly state: BillingState;
  readonly known: ReadonlyMap<string, Subscription>;
  /** Ids of the subscriptions whose events restarted the counters. */
  readonly renewals: readonly string[];
}

function begun(present: BillingState): Story {
  const id = present.paymentSubscriptionId;
  return {
    state: present,
    known: new Map(id === null ? [] : [[id, unreportedSubscription(id, present.plan)]]),
    renewals: [],
  };
}

function afterNext({ state, known, renewals }: Story, next: BillingEvent): Story {
  const outcome = outcomeOf(state, [...known.values()], next);
  if (!outcome) return { state, known, renewals };
  const { record, grantedPlan, subscription } = outcome;
  return {
    state: { ...state, ...record, grantedPlan },
    known: new Map(known).set(subscription.id, subscription),
    renewals: outcome.beginsPeriod ? [...renewals, subscription.id] : renewals,
  };
}

/** The workspace after events of any subscriptions, in that order. */
function stateAfter(events: readonly BillingEvent[], present = FREE): BillingState {
  return events.filter(isChange).reduce(afterNext, begun(present)).state;
}

describe('section 3.5, row by row', () => {
  test.each<[string, BillingEvent[], Partial<BillingState>]>([
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
  ])('%s', (_name, events, expected) => expect(stateAfter(events)).toMatchObject(expected));
});

test('a warning changes nothing', () => {
  const before = afterEvent(unreportedSubscription('sub_1', 'free'), event('active', 1));
  expect(afterEvent(before, event('warning', 2, { plan: null }))).toEqual(before);
});

test('the end of one subscription takes nothing from another, and the higher plan counts', () => {
  const other = (meaning: BillingMeaning, at: number, plan: string | null) =>
    event(meaning, at, { subscriptionId: 'sub_2', plan });
  const growth = event('active', 1);
  expect(stateAfter([growth, other('active', 2, 'starter')])).toMatchObject({
    plan: 'growth',
    paymentSubscriptionId: 'sub_1',
  });
  expect(stateAfter([growth, other('active', 2, 'starter'), other('cancelled', 3, null)])).toMatchObject({
    plan: 'growth',
    status: 'active',
  });
  expect(stateAfter([growth, other('active', 2, 'starter'), event('cancelled', 3)])).toMatchObject({
    plan: 'starter',
    paymentSubscriptionId: 'sub_2',
  });
  const present = { ...FREE, plan: 'growth', paymentSubscriptionId: 'sub_1' };
  expect(stateAfter([other('cancelled', 3, null)], present)).toMatchObject(present);
});

test('a period begins once: by a later renewal of another period, or where its end moves on silently', () => {
  const start = (at: number) => ({ periodStart: day(at) });
  const before = afterEvent(unreportedSubscription('sub_1', 'free'), event('renewed', 10, start(10)));
  expect(beginsPeriod(unreportedSubscription('sub_1', 'free'), event('renewed', 10))).toBe(true);
  for (const again of [
    event('renewed', 10, start(10)),
    // The same event, sent again with another time.
    event('renewed', 11, start(10)),
    event('renewed', 9),
    event('active', 12, start(12)),
  ])
    expect(beginsPeriod(before, again)).toBe(false);
  expect(beginsPeriod(before, event('renewed', 40, start(40)))).toBe(true);
  const silent = (at: number, end: number) =>
    event('active', at, { renewsSilently: true, periodEnd: day(end) });
  const first = afterEvent(unreportedSubscription('sub_1', 'free'), silent(1, 30));
  expect(beginsPeriod(unreportedSubscription('sub_1', 'free'), silent(1, 30))).toBe(false);
  expect(beginsPeriod(first, silent(2, 30))).toBe(false);
  expect(beginsPeriod(first, silent(31, 60))).toBe(true);
});

const MEANINGS = ['active', 'renewed', 'paused', 'cancelled', 'warning'] as const;
const anyPlan = fc.constantFrom('starter', 'growth', 'enterprise');
const namesPlan = (meaning: BillingMeaning): boolean => meaning !== 'cancelled' && meaning !== 'warning';

/** Events of the workspace's own subscriptions, of both providers. */
const ownEvent = fc
  .record({
    meaning: fc.constantFrom(...MEANINGS),
    at: fc.nat({ max: 6 }),
    subscriptionId: fc.constantFrom('sub_1', 'sub_2', 'checkout_1'),
    plan: anyPlan,
    periodEnd: fc.option(fc.nat({ max: 6 }).map(day)),
  })
  .map(({ meaning, at, subscriptionId, plan, periodEnd }) =>
    event(meaning, at, {
      ...{ subscriptionId, plan: namesPlan(meaning) ? plan : null },
      ...(subscriptionId === 'checkout_1' && { confirmation: 'checkout', renewsSilently: true, periodEnd }),
    }),
  );

/** Events of purchases that others have made, or claim to have made. */
const foreignEvent = fc
  .record({
    meaning: fc.constantFrom(...MEANINGS),
    at: fc.nat({ max: 6 }),
    subscriptionId: fc.constantFrom('foreign_1', 'foreign_2', null),
    plan: fc.option(fc.constantFrom('free', 'starter', 'growth', 'enterprise')),
    periodEnd: fc.option(fc.nat({ max: 6 }).map(day)),
  })
  .map(({ meaning, at, ...more }) =>
    event(meaning, at, { ...more, customerId: 'stranger', renewsSilently: true, confirmation: null }),
  );

const anyBeginning = fc.constantFrom<BillingState>(
  FREE,
  { ...FREE, plan: 'growth' },
  { ...FREE, plan: 'growth', customRates: { perMinute: 10, events: 10 } },
  { ...FREE, plan: 'enterprise', paymentCustomerId: 'cus_1' },
  { ...FREE, plan: 'starter', paymentSubscriptionId: 'sub_1', paymentCustomerId: 'cus_1' },
  { ...FREE, plan: 'growth', status: 'suspended', suspendedReason: 'abuse' },
  {
    ...{ ...FREE, plan: 'growth', paymentSubscriptionId: 'sub_2' },
    ...{ status: 'suspended', suspendedReason: PAUSED_REASON },
  },
);

const twiceShuffled = (events: readonly BillingEvent[]) =>
  fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 });

test('the order in which events are told, and how often, makes no difference', () => {
  fc.assert(
    fc.property(
      anyBeginning.filter(({ status }) => status === 'active'),
      fc
        .array(fc.oneof(ownEvent, foreignEvent), { minLength: 1, maxLength: 8 })
        .chain((events) => fc.tuple(fc.constant(events), twiceShuffled(events))),
      (present, [events, shuffled]) => {
        expect(stateAfter(shuffled, present)).toEqual(stateAfter(events, present));
      },
    ),
    { numRuns: runs(2_000) },
  );
});

/** Every limit; higher is better. */
function limitsOf({ plan, customRates }: BillingState): number[] {
  const { caps, retentionDays } = planOf(plan);
  const { perCaller, perWorkspace } = ratesOf(planOf(plan), customRates);
  return [...[caps, perCaller, perWorkspace].flatMap((each) => Object.values<number>(each)), retentionDays];
}
const rankOf = ({ plan }: BillingState): number => PLAN_NAMES.findIndex((name) => name === plan);

function isWorseOff(withAll: Story, without: Story): boolean {
  const [has, had] = [withAll.state, without.state];
  const least = limitsOf(had);
  return (
    rankOf(has) < rankOf(had) ||
    (had.status === 'active' && has.status !== 'active') ||
    limitsOf(has).some((limit, n) => limit < (least[n] ?? 0)) ||
    has.paymentCustomerId !== had.paymentCustomerId ||
    [...without.known].some(([id, own]) => !isDeepStrictEqual(withAll.known.get(id), own)) ||
    !isDeepStrictEqual(
      withAll.renewals.filter((id) => !id.startsWith('foreign')),
      without.renewals,
    )
  );
}

test('purchases by others never leave a workspace worse off, whatever the events and their order', () => {
  fc.assert(
    fc.property(
      anyBeginning,
      fc.array(fc.oneof(ownEvent, foreignEvent), { minLength: 1, maxLength: 12 }),
      (present, events) => {
        let [withAll, without] = [begun(present), begun(present)];
        for (const next of events.filter(isChange)) {
          withAll = afterNext(withAll, next);
          if (next.confirmation !== null) without = afterNext(without, next);
          if (!isWorseOff(withAll, without)) continue;
          expect(withAll).toEqual(without);
        }
        const ends = ['foreign_1', 'foreign_2'].map((subscriptionId) =>
          event('cancelled', 99, { subscriptionId, renewsSilently: true, confirmation: null, plan: null }),
        );
        const { state } = ends.reduce(afterNext, withAll);
        // Any event ends a suspension that is only in old records and that no subscription explains.
        if (present.status === 'active') expect(state).toEqual({ ...without.state, ...grantIn(state) });
      },
    ),
    { numRuns: runs(10_000) },
  );
});

/** The operator's grant is stored separately if a subscription has another plan. */
const grantIn = ({ grantedPlan }: BillingState): Pick<BillingState, 'grantedPlan'> => ({ grantedPlan });

describe('what others buy', () => {
  const foreign = (meaning: BillingMeaning, at: number, plan: string | null) =>
    event(meaning, at, {
      ...{ plan, subscriptionId: 'foreign_1', customerId: 'stranger' },
      ...{ renewsSilently: true, confirmation: null },
    });
  const granted = { ...FREE, plan: 'growth' };

  test.each<[string, BillingState, BillingEvent[], Partial<BillingState>]>([
    [
      'a trial that is unpaid',
      granted,
      [foreign('active', 1, 'growth'), foreign('paused', 2, null)],
      { plan: 'growth', status: 'active', paymentSubscriptionId: null },
    ],
    ['a higher trial', granted, [foreign('active', 1, 'enterprise')], { plan: 'enterprise' }],
    [
      'a higher trial that expires',
      granted,
      [foreign('active', 1, 'enterprise'), foreign('cancelled', 2, null)],
      { plan: 'growth', paymentSubscriptionId: null, paymentCustomerId: null },
    ],
    [
      'one without a plan that is known',
      { ...FREE, plan: 'enterprise' },
      [foreign('active', 1, null)],
      { plan: 'enterprise', paymentSubscriptionId: null },
    ],
    [
      'the end of a pause of the same plan',
      FREE,
      [event('active', 1), event('paused', 2), foreign('active', 3, 'growth')],
      { plan: 'growth', status: 'active' },
    ],
    [
      'no end of a pause by less',
      FREE,
      [event('active', 1), event('paused', 2), foreign('active', 3, 'starter')],
      { plan: 'growth', status: 'suspended' },
    ],
    [
      'no end of what the operator has suspended',
      { ...granted, status: 'suspended', suspendedReason: 'abuse' },
      [foreign('active', 1, 'enterprise')],
      { plan: 'enterprise', status: 'suspended', suspendedReason: 'abuse' },
    ],
  ])('%s', (_name, present, events, expected) => expect(stateAfter(events, present)).toMatchObject(expected));

  test('a plan that the operator gives meanwhile stays', () => {
    const { state, ...bought } = afterNext(begun(FREE), foreign('active', 1, 'starter'));
    const given = { ...bought, state: { ...state, plan: 'growth' } };
    const { state: ended } = afterNext(given, foreign('cancelled', 2, null));
    expect(ended).toMatchObject({ plan: 'growth', status: 'active', paymentSubscriptionId: null });
  });

  test('lowers and pauses the workspace once its owner has confirmed it', () => {
    const { state, known } = [foreign('active', 1, 'growth')].reduce(afterNext, begun(FREE));
    const [bought] = known.values();
    const { record, grantedPlan, subscription } = outcomeOfConfirmation(state, [...known.values()], bought!);
    expect(record).toMatchObject({ plan: 'growth', status: 'active', paymentSubscriptionId: 'foreign_1' });
    const confirmed: Story = {
      state: { ...state, ...record, grantedPlan },
      known: new Map([[subscription.id, subscription]]),
      renewals: [],
    };
    expect(afterNext(confirmed, foreign('paused', 2, null)).state).toMatchObject({ status: 'suspended' });
    expect(afterNext(confirmed, foreign('cancelled', 2, null)).state).toMatchObject({ plan: 'free' });
  });
});

describe('what the owner has confirmed, on a plan that the operator gave', () => {
  const own = (meaning: BillingMeaning, at: number, plan: string | null) =>
    event(meaning, at, { plan, renewsSilently: true, confirmation: 'checkout' });

  test.each<[string, BillingEvent[], Partial<BillingState>]>([
    ['less', [own('active', 1, 'starter')], { plan: 'growth', paymentSubscriptionId: null }],
    ['more', [own('active', 1, 'enterprise')], { plan: 'enterprise', paymentSubscriptionId: 'sub_1' }],
    [
      'a pause',
      [own('active', 1, 'starter'), own('paused', 2, null)],
      { plan: 'growth', status: 'suspended' },
    ],
    ['the end', [own('active', 1, 'enterprise'), own('cancelled', 2, null)], { plan: 'growth' }],
    ['the payment provider, as section 3.5', [event('active', 1, { plan: 'starter' })], { plan: 'starter' }],
    ['the end at the payment provider', [event('active', 1), event('cancelled', 2)], { plan: 'free' }],
  ])('%s', (_name, events, expected) =>
    expect(stateAfter(events, { ...FREE, plan: 'growth' })).toMatchObject(expected),
  );
});

test('what is paused stays so until it is told otherwise, by whichever renewal', () => {
  const paused = afterEvent(
    afterEvent(unreportedSubscription('s', 'free'), event('paused', 2)),
    event('renewed', 9),
  );
  expect(subscriptionStatus(paused)).toBe('paused');
});

/** Derives a workspace's plan, and whether it is suspended, from its subscriptions (section 3.5). */
import type { BillingRecord, BillingState } from '../../workspaces/domain/workspace.js';
import { PLAN_NAMES, planOf, ratesOf, type PlanName, type Rates } from '../../limits/domain/plan.js';
import { isChange, type BillingEvent } from './billing-event.js';
import {
  afterEvent,
  subscriptionStatus,
  beginsPeriod,
  lastReportedAt,
  unreportedSubscription,
  type Subscription,
} from './subscription.js';

export const PAUSED_REASON = 'subscription_paused';

/** The result of an event. */
export interface BillingOutcome {
  readonly record: BillingRecord;
  /** The plan that the operator granted; null if there is none. */
  readonly grantedPlan: string | null;
  /** The subscription of the event. */
  readonly subscription: Subscription;
  /** Whether the month's counters restart. */
  readonly beginsPeriod: boolean;
}

/**
 * The workspace after an event that changes something; undefined if the event has no subscription.
 * @param known all known subscriptions, including the workspace's current one.
 */
export function outcomeOf(
  state: BillingState,
  known: readonly Subscription[],
  event: BillingEvent,
): BillingOutcome | undefined {
  const granted = grantOf(state, known);
  const id = event.subscriptionId ?? currentSubscriptionId(event, state, known, granted);
  if (id === null || !isChange(event)) return undefined;
  const before = known.find((one) => one.id === id) ?? {
    // A purchase that is not confirmed brings the plan that it names, and no other.
    ...unreportedSubscription(
      id,
      event.confirmation ? confirmedRecord(state, granted, known, true).plan : 'free',
    ),
    confirmedBy: null,
  };
  const subscription = afterEvent(before, event);
  const subscriptions = [...known.filter((one) => one.id !== id), subscription];
  const isUnconfirmed = subscription.confirmedBy === null;
  // Section 3.5: the payment provider's plan overrides a plan that the operator granted.
  const grantedPlan = isUnconfirmed || event.renewsSilently ? granted : null;
  const record = recordOf(state, grantedPlan, subscriptions, isUnconfirmed);
  const isCounted = [record, confirmedRecord(state, grantedPlan, subscriptions, isUnconfirmed)].some(
    ({ paymentSubscriptionId }) => paymentSubscriptionId === id,
  );
  return { record, grantedPlan, subscription, beginsPeriod: isCounted && beginsPeriod(before, event) };
}

/** The workspace after its owner confirms a subscription. */
export function outcomeOfConfirmation(
  state: BillingState,
  known: readonly Subscription[],
  subscription: Subscription,
): Omit<BillingOutcome, 'beginsPeriod'> {
  const confirmed = { ...subscription, confirmedBy: subscription.confirmedBy ?? ('owner' as const) };
  const subscriptions = [...known.filter(({ id }) => id !== subscription.id), confirmed];
  const grantedPlan = grantOf(state, known);
  return {
    record: recordOf(state, grantedPlan, subscriptions, true),
    grantedPlan,
    subscription: confirmed,
  };
}

/**
 * The result of the subscriptions. Those that the owner or the operator has confirmed decide. The others can only add
 * to it, while they are paid: a higher plan, or the end of a suspension.
 * @param keepsSuspension whether to keep a suspension that no subscription caused.
 */
function recordOf(
  state: BillingState,
  grantedPlan: string | null,
  subscriptions: readonly Subscription[],
  keepsSuspension: boolean,
): BillingRecord {
  const base = confirmedRecord(state, grantedPlan, subscriptions, keepsSuspension);
  const added = highestRanked(
    subscriptions.filter(
      (one) =>
        one.confirmedBy === null && subscriptionStatus(one) === 'active' && isUpgrade(one.plan, base, state),
    ),
  );
  if (!added) return base;
  const upgraded = { ...base, plan: added.plan, paymentSubscriptionId: added.id };
  return isPaused(base) ? { ...upgraded, status: 'active', suspendedReason: null } : upgraded;
}

/** Whether a plan gives the workspace more than it has without the plan, in every limit. */
function isUpgrade(plan: string, base: BillingRecord, { customRates }: BillingState): boolean {
  const rankDifference = rankOf(plan) - rankOf(base.plan);
  const isHigher = isPaused(base) ? rankDifference >= 0 : rankDifference > 0;
  return isHigher && areAtLeast(ratesOf(planOf(plan), customRates), ratesOf(planOf(base.plan), customRates));
}

function isPaused({ status, suspendedReason }: BillingRecord): boolean {
  return status === 'suspended' && suspendedReason === PAUSED_REASON;
}

/** Custom rates apply to one plan only and may be lower than the rates of the plan below it. */
function areAtLeast(rates: Rates, others: Rates): boolean {
  const listed = ({ perCaller, perWorkspace }: Rates): number[] => [
    perCaller.minute,
    perCaller.hour,
    perWorkspace.general,
    perWorkspace.events,
    perWorkspace.send,
  ];
  const minimums = listed(others);
  return listed(rates).every((rate, n) => rate >= (minimums[n] ?? 0));
}

/**
 * The result of the confirmed subscriptions and the operator's grant. Of several active subscriptions the one with the
 * highest plan counts, because a workspace has what it pays for. The end of another one takes nothing away.
 */
function confirmedRecord(
  state: BillingState,
  grantedPlan: string | null,
  subscriptions: readonly Subscription[],
  keepsSuspension: boolean,
): BillingRecord {
  const confirmed = subscriptions.filter(({ confirmedBy }) => confirmedBy !== null);
  const active = highestRanked(confirmed.filter((one) => subscriptionStatus(one) === 'active'));
  const current = active ?? highestRanked(confirmed.filter((one) => subscriptionStatus(one) === 'paused'));
  const isGrantHigher = grantedPlan !== null && (!current || rankOf(grantedPlan) > rankOf(current.plan));
  return {
    plan: (isGrantHigher ? grantedPlan : current?.plan) ?? 'free',
    ...statusOf(state, current !== undefined && !active, keepsSuspension),
    paymentSubscriptionId: (isGrantHigher && active ? null : current?.id) ?? null,
    paymentCustomerId:
      payerOf(current?.confirmedBy === 'link' ? [current] : confirmed) ?? state.paymentCustomerId,
  };
}

function statusOf(
  state: BillingState,
  pauses: boolean,
  keepsSuspension: boolean,
): Pick<BillingRecord, 'status' | 'suspendedReason'> {
  if (keepsSuspension && state.status === 'suspended' && !isPaused(state))
    return { status: 'suspended', suspendedReason: state.suspendedReason };
  if (pauses) return { status: 'suspended', suspendedReason: PAUSED_REASON };
  return { status: 'active', suspendedReason: null };
}

/**
 * The provider's customer; of several, always the same one. Buyers choose their identity in a checkout, so the customer
 * is only taken from subscriptions in the operator's records.
 */
function payerOf(subscriptions: readonly Subscription[]): string | undefined {
  const [payer] = subscriptions
    .filter(({ confirmedBy }) => confirmedBy === 'link')
    .flatMap(({ customerId }) => customerId ?? [])
    .toSorted();
  return payer;
}

/** The plan that the operator granted: the plan that no subscription explains. */
function grantOf(
  { plan, paymentSubscriptionId, grantedPlan }: BillingState,
  known: readonly Subscription[],
): string | null {
  const named = known.find(({ id }) => id === paymentSubscriptionId);
  if (named?.plan === plan) return grantedPlan;
  return plan === 'free' ? null : plan;
}

/** The workspace's current subscription, for an event of the payment provider that names none. */
function currentSubscriptionId(
  { renewsSilently }: BillingEvent,
  state: BillingState,
  known: readonly Subscription[],
  grantedPlan: string | null,
): string | null {
  if (renewsSilently) return null;
  return confirmedRecord(state, grantedPlan, known, true).paymentSubscriptionId;
}

/** Whether a plan with this name exists. */
export function isPlan(name: string): name is PlanName {
  return PLAN_NAMES.some((known) => known === name);
}

/** Higher plans have higher ranks. An unknown plan has the lowest. */
function rankOf(plan: string): number {
  return PLAN_NAMES.findIndex((name) => name === plan);
}

function highestRanked(subscriptions: readonly Subscription[]): Subscription | undefined {
  return subscriptions.toSorted(
    (one, other) =>
      rankOf(other.plan) - rankOf(one.plan) ||
      lastReportedAt(other) - lastReportedAt(one) ||
      (one.id < other.id ? -1 : 1),
  )[0];
}

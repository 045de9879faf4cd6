/** What a workspace's subscriptions come to: its plan, and whether it is suspended (section 3.5). */
import type { BillingRecord, BillingState } from '../../workspaces/domain/workspace.js';
import { PLAN_NAMES, planOf, ratesOf, type PlanName, type Rates } from '../../limits/domain/plan.js';
import { isChange, type BillingEvent } from './billing-event.js';
import {
  afterEvent,
  aliveness,
  beginsPeriod,
  lastToldAt,
  untold,
  type Subscription,
} from './subscription.js';

export const PAUSED_REASON = 'subscription_paused';

/** What an event comes to. */
export interface BillingOutcome {
  readonly record: BillingRecord;
  /** The plan that the operator gave; null where there is none. */
  readonly grantedPlan: string | null;
  /** The event's own. */
  readonly subscription: Subscription;
  /** Whether the counters of the month begin anew. */
  readonly beginsPeriod: boolean;
}

/**
 * What becomes of a workspace by an event that changes something; undefined where it names no subscription.
 * @param known all subscriptions that were ever told of, and the workspace's present one.
 */
export function outcomeOf(
  present: BillingState,
  known: readonly Subscription[],
  event: BillingEvent,
): BillingOutcome | undefined {
  const granted = grantOf(present, known);
  const id = event.subscriptionId ?? presentIdFor(event, present, known, granted);
  if (id === null || !isChange(event)) return undefined;
  const before = known.find((one) => one.id === id) ?? {
    // Whose purchase nobody has confirmed brings the plan that it names, and no other.
    ...untold(id, event.confirmation ? confirmedRecord(present, granted, known, true).plan : 'free'),
    confirmedBy: null,
  };
  const subscription = afterEvent(before, event);
  const subscriptions = [...known.filter((one) => one.id !== id), subscription];
  const isForeign = subscription.confirmedBy === null;
  // Section 3.5: what the payment provider says of the plan holds, whatever the operator gave.
  const grantedPlan = isForeign || event.renewsSilently ? granted : null;
  const record = recordOf(present, grantedPlan, subscriptions, isForeign);
  const isCounted = [record, confirmedRecord(present, grantedPlan, subscriptions, isForeign)].some(
    ({ paymentSubscriptionId }) => paymentSubscriptionId === id,
  );
  return { record, grantedPlan, subscription, beginsPeriod: isCounted && beginsPeriod(before, event) };
}

/** What becomes of a workspace by its owner's confirming of a subscription. */
export function outcomeOfConfirming(
  present: BillingState,
  known: readonly Subscription[],
  subscription: Subscription,
): Omit<BillingOutcome, 'beginsPeriod'> {
  const confirmed = { ...subscription, confirmedBy: subscription.confirmedBy ?? ('owner' as const) };
  const subscriptions = [...known.filter(({ id }) => id !== subscription.id), confirmed];
  const grantedPlan = grantOf(present, known);
  return {
    record: recordOf(present, grantedPlan, subscriptions, true),
    grantedPlan,
    subscription: confirmed,
  };
}

/**
 * What the subscriptions come to. Those that the owner or the operator has confirmed decide; the others can only add to it:
 * a higher plan, or the end of a pause, for as long as they are paid.
 * @param keepsSuspension whether a suspension that no subscription has made stays.
 */
function recordOf(
  present: BillingState,
  grantedPlan: string | null,
  subscriptions: readonly Subscription[],
  keepsSuspension: boolean,
): BillingRecord {
  const base = confirmedRecord(present, grantedPlan, subscriptions, keepsSuspension);
  const added = highest(
    subscriptions.filter(
      (one) => one.confirmedBy === null && aliveness(one) === 'active' && adds(one.plan, base, present),
    ),
  );
  if (!added) return base;
  const bought = { ...base, plan: added.plan, paymentSubscriptionId: added.id };
  return isPaused(base) ? { ...bought, status: 'active', suspendedReason: null } : bought;
}

/** Whether a plan is more than what the workspace has without it, in every limit. */
function adds(plan: string, base: BillingRecord, { customRates }: BillingState): boolean {
  const above = rankOf(plan) - rankOf(base.plan);
  const isMore = isPaused(base) ? above >= 0 : above > 0;
  return isMore && areAtLeast(ratesOf(planOf(plan), customRates), ratesOf(planOf(base.plan), customRates));
}

function isPaused({ status, suspendedReason }: BillingRecord): boolean {
  return status === 'suspended' && suspendedReason === PAUSED_REASON;
}

/** Custom rates, which hold on one plan alone, may be lower than those of the plan below it. */
function areAtLeast(rates: Rates, others: Rates): boolean {
  const listed = ({ perCaller, perWorkspace }: Rates): number[] => [
    perCaller.minute,
    perCaller.hour,
    perWorkspace.general,
    perWorkspace.events,
    perWorkspace.send,
  ];
  const least = listed(others);
  return listed(rates).every((rate, n) => rate >= (least[n] ?? 0));
}

/**
 * What the confirmed subscriptions come to, and what the operator gave. Of several that are alive the one of the highest plan
 * counts, since a workspace has what it pays for; the end of another takes nothing away.
 */
function confirmedRecord(
  present: BillingState,
  grantedPlan: string | null,
  subscriptions: readonly Subscription[],
  keepsSuspension: boolean,
): BillingRecord {
  const confirmed = subscriptions.filter(({ confirmedBy }) => confirmedBy !== null);
  const alive = highest(confirmed.filter((one) => aliveness(one) === 'active'));
  const current = alive ?? highest(confirmed.filter((one) => aliveness(one) === 'paused'));
  const isGrantHigher = grantedPlan !== null && (!current || rankOf(grantedPlan) > rankOf(current.plan));
  return {
    plan: (isGrantHigher ? grantedPlan : current?.plan) ?? 'free',
    ...statusOf(present, current !== undefined && !alive, keepsSuspension),
    paymentSubscriptionId: (isGrantHigher && alive ? null : current?.id) ?? null,
    paymentCustomerId:
      payerOf(current?.confirmedBy === 'link' ? [current] : confirmed) ?? present.paymentCustomerId,
  };
}

function statusOf(
  present: BillingState,
  pauses: boolean,
  keepsSuspension: boolean,
): Pick<BillingRecord, 'status' | 'suspendedReason'> {
  if (keepsSuspension && present.status === 'suspended' && !isPaused(present))
    return { status: 'suspended', suspendedReason: present.suspendedReason };
  if (pauses) return { status: 'suspended', suspendedReason: PAUSED_REASON };
  return { status: 'active', suspendedReason: null };
}

/**
 * Who pays as the provider knows it: of several always the same one. Who buys on a checkout says itself who it is, so a
 * customer is taken from those subscriptions alone that the operator's records name.
 */
function payerOf(subscriptions: readonly Subscription[]): string | undefined {
  const [payer] = subscriptions
    .filter(({ confirmedBy }) => confirmedBy === 'link')
    .flatMap(({ customerId }) => customerId ?? [])
    .toSorted();
  return payer;
}

/** The plan that the operator gave: the one that no subscription explains. */
function grantOf(
  { plan, paymentSubscriptionId, grantedPlan }: BillingState,
  known: readonly Subscription[],
): string | null {
  const named = known.find(({ id }) => id === paymentSubscriptionId);
  if (named?.plan === plan) return grantedPlan;
  return plan === 'free' ? null : plan;
}

/** The workspace's present subscription, for an event of the payment provider that names none. */
function presentIdFor(
  { renewsSilently }: BillingEvent,
  present: BillingState,
  known: readonly Subscription[],
  grantedPlan: string | null,
): string | null {
  if (renewsSilently) return null;
  return confirmedRecord(present, grantedPlan, known, true).paymentSubscriptionId;
}

/** Whether there is a plan of that name. */
export function isPlan(name: string): name is PlanName {
  return PLAN_NAMES.some((known) => known === name);
}

/** Higher plans have higher ranks; what is no plan has the lowest. */
function rankOf(plan: string): number {
  return PLAN_NAMES.findIndex((name) => name === plan);
}

function highest(subscriptions: readonly Subscription[]): Subscription | undefined {
  return subscriptions.toSorted(
    (one, other) =>
      rankOf(other.plan) - rankOf(one.plan) ||
      lastToldAt(other) - lastToldAt(one) ||
      (one.id < other.id ? -1 : 1),
  )[0];
}

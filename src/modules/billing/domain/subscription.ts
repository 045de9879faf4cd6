/** Derives the state of a subscription from its events, in any order. For a repeated value the newest event counts. */
import type { BillingEvent, Confirmation } from './billing-event.js';

export interface Subscription {
  readonly id: string;
  readonly customerId: string | null;
  /** The newest status, ignoring renewals; null if there was none. */
  readonly standing: 'active' | 'paused' | 'cancelled' | null;
  readonly standingAt: Date | null;
  /** The newest plan. Before an event names one, the workspace's plan at the first event. */
  readonly plan: string;
  readonly planAt: Date | null;
  readonly renewedAt: Date | null;
  /** The latest start of a period, and the latest end of one, as far as they were reported. */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** Null if anyone may have bought it: then it can only add to what the workspace has. */
  readonly confirmedBy: Confirmation | null;
}

/** A subscription in the operator's records without any event so far. @param plan the workspace's plan. */
export function unreportedSubscription(id: string, plan: string): Subscription {
  return {
    id,
    customerId: null,
    standing: null,
    standingAt: null,
    plan,
    planAt: null,
    renewedAt: null,
    periodStart: null,
    periodEnd: null,
    confirmedBy: 'link',
  };
}

/** A subscription can be confirmed more than once. The strongest confirmation counts, regardless of the order. */
const CONFIRMATION_RANK = { owner: 1, checkout: 2, link: 3 } as const;

/** Of events at the same time the more severe one counts, so that their order does not matter. */
const STATUS_SEVERITY = { active: 0, paused: 1, cancelled: 2 } as const;

/** The subscription after one of its events. */
export function afterEvent(subscription: Subscription, event: BillingEvent): Subscription {
  const { meaning, at } = event;
  const { standing, standingAt, plan, planAt } = subscription;
  const updated = {
    ...subscription,
    customerId: smallerOf(subscription.customerId, event.customerId),
    periodStart: latest(subscription.periodStart, event.periodStart),
    periodEnd: latest(subscription.periodEnd, event.periodEnd),
    confirmedBy: stronger(subscription.confirmedBy, event.confirmation),
    ...(event.plan !== null && meaning !== 'cancelled' && isNewer(at, planAt, event.plan, plan)
      ? { plan: event.plan, planAt: at }
      : {}),
  };
  if (meaning === 'renewed') return { ...updated, renewedAt: latest(subscription.renewedAt, at) };
  if (meaning !== 'active' && meaning !== 'paused' && meaning !== 'cancelled') return updated;
  const isNewerStatus =
    standingAt === null ||
    at > standingAt ||
    (at.getTime() === standingAt.getTime() &&
      STATUS_SEVERITY[meaning] > (standing === null ? -1 : STATUS_SEVERITY[standing]));
  return isNewerStatus ? { ...updated, standing: meaning, standingAt: at } : updated;
}

/**
 * Whether an event starts a new period, which restarts the month's counters.
 * @param before the subscription before the event.
 */
export function beginsPeriod(before: Subscription, event: BillingEvent): boolean {
  if (event.meaning === 'renewed') {
    if (before.renewedAt && event.at <= before.renewedAt) return false;
    return !(event.periodStart && before.periodStart && event.periodStart <= before.periodStart);
  }
  // The second provider does not report renewals. It only moves the end of the period.
  return (
    event.renewsSilently &&
    event.meaning === 'active' &&
    event.periodEnd !== null &&
    before.periodEnd !== null &&
    event.periodEnd > before.periodEnd
  );
}

/**
 * The state of the subscription. A renewal after a cancellation makes it active again. A pause lasts until an event
 * ends it.
 */
export function subscriptionStatus({
  standing,
  standingAt,
  renewedAt,
}: Subscription): 'active' | 'paused' | 'cancelled' {
  if (standing === 'cancelled')
    return renewedAt && standingAt && renewedAt > standingAt ? 'active' : 'cancelled';
  return standing ?? 'active';
}

/** The time of its latest event. */
export function lastReportedAt({ standingAt, planAt, renewedAt }: Subscription): number {
  return Math.max(...[standingAt, planAt, renewedAt].map((moment) => moment?.getTime() ?? 0));
}

function isNewer(at: Date, than: Date | null, plan: string, currentPlan: string): boolean {
  if (than === null || at > than) return true;
  return at.getTime() === than.getTime() && plan > currentPlan;
}

function stronger(one: Confirmation | null, other: Confirmation | null): Confirmation | null {
  if (one === null || other === null) return one ?? other;
  return CONFIRMATION_RANK[one] > CONFIRMATION_RANK[other] ? one : other;
}

/** Always picks the same one of two names. */
function smallerOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
}

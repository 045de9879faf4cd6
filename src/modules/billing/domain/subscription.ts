/**
 * What the events of a subscription come to, in whichever order they are told: of what is told again and again the newest
 * word holds.
 */
import type { BillingEvent, Confirmation } from './billing-event.js';

export interface Subscription {
  readonly id: string;
  readonly customerId: string | null;
  /** The newest word on whether it is alive, renewals aside; null where there was none. */
  readonly standing: 'active' | 'paused' | 'cancelled' | null;
  readonly standingAt: Date | null;
  /** The newest plan that was named; until one is, the workspace's as it was met. */
  readonly plan: string;
  readonly planAt: Date | null;
  readonly renewedAt: Date | null;
  /** The latest period that has begun, and the latest end of one, as far as they were told. */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** Null where somebody else may have bought it: then it can only add to what the workspace has. */
  readonly confirmedBy: Confirmation | null;
}

/** One that the operator's records name, and of which nothing was told. @param plan of the workspace. */
export function untold(id: string, plan: string): Subscription {
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

/** A subscription can be confirmed more than once; the strongest confirmation counts, whichever came first. */
const STRENGTH = { owner: 1, checkout: 2, link: 3 } as const;

/** Of words of the same moment the harder one holds, so that their order says nothing. */
const HARDNESS = { active: 0, paused: 1, cancelled: 2 } as const;

/** The subscription after an event of its own. */
export function afterEvent(subscription: Subscription, event: BillingEvent): Subscription {
  const { meaning, at } = event;
  const { standing, standingAt, plan, planAt } = subscription;
  const told = {
    ...subscription,
    customerId: lesser(subscription.customerId, event.customerId),
    periodStart: latest(subscription.periodStart, event.periodStart),
    periodEnd: latest(subscription.periodEnd, event.periodEnd),
    confirmedBy: stronger(subscription.confirmedBy, event.confirmation),
    ...(event.plan !== null && meaning !== 'cancelled' && isNewer(at, planAt, event.plan, plan)
      ? { plan: event.plan, planAt: at }
      : {}),
  };
  if (meaning === 'renewed') return { ...told, renewedAt: latest(subscription.renewedAt, at) };
  if (meaning !== 'active' && meaning !== 'paused' && meaning !== 'cancelled') return told;
  const isNews =
    standingAt === null ||
    at > standingAt ||
    (at.getTime() === standingAt.getTime() &&
      HARDNESS[meaning] > (standing === null ? -1 : HARDNESS[standing]));
  return isNews ? { ...told, standing: meaning, standingAt: at } : told;
}

/**
 * Whether an event begins a period that none has begun before: the counters of the month begin anew.
 * @param before the subscription before the event.
 */
export function beginsPeriod(before: Subscription, event: BillingEvent): boolean {
  if (event.meaning === 'renewed') {
    if (before.renewedAt && event.at <= before.renewedAt) return false;
    return !(event.periodStart && before.periodStart && event.periodStart <= before.periodStart);
  }
  // The second provider does not say that it has renewed: the end of the period moves on.
  return (
    event.renewsSilently &&
    event.meaning === 'active' &&
    event.periodEnd !== null &&
    before.periodEnd !== null &&
    event.periodEnd > before.periodEnd
  );
}

/** Whether it is alive: who renews what was cancelled before has come back, what is paused stays so until it is told otherwise. */
export function aliveness({
  standing,
  standingAt,
  renewedAt,
}: Subscription): 'active' | 'paused' | 'cancelled' {
  if (standing === 'cancelled')
    return renewedAt && standingAt && renewedAt > standingAt ? 'active' : 'cancelled';
  return standing ?? 'active';
}

/** When it last said something. */
export function lastToldAt({ standingAt, planAt, renewedAt }: Subscription): number {
  return Math.max(...[standingAt, planAt, renewedAt].map((moment) => moment?.getTime() ?? 0));
}

function isNewer(at: Date, than: Date | null, plan: string, present: string): boolean {
  if (than === null || at > than) return true;
  return at.getTime() === than.getTime() && plan > present;
}

function stronger(one: Confirmation | null, other: Confirmation | null): Confirmation | null {
  if (one === null || other === null) return one ?? other;
  return STRENGTH[one] > STRENGTH[other] ? one : other;
}

/** Of two names always the same one. */
function lesser(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
}

/** What a workspace's subscriptions come to: its plan, and whether it is suspended (section 3.5). */
import type { BillingRecord } from '../../workspaces/domain/workspace.js';
import { PLAN_NAMES, type PlanName } from '../../limits/domain/plan.js';
import type { BillingEvent } from './billing-event.js';
import { aliveness, lastToldAt, untold, type Subscription } from './subscription.js';

export const PAUSED_REASON = 'subscription_paused';

/**
 * The standing after what was told. Of several subscriptions that are alive the one of the highest plan counts, since a
 * workspace has what it pays for; the end of another takes nothing away.
 * @param present the workspace as it stands.
 * @param subscriptions all that were ever told of, and the workspace's present one.
 */
export function standingAfter(present: BillingRecord, subscriptions: readonly Subscription[]): BillingRecord {
  const alive = subscriptions.filter((one) => aliveness(one) === 'active');
  const paused = subscriptions.filter((one) => aliveness(one) === 'paused');
  const current = highest(alive) ?? highest(paused);
  // Who paid last stays known by that; of several always the same one.
  const [payer = null] = (current ? [current] : subscriptions)
    .flatMap(({ customerId }) => customerId ?? [])
    .toSorted();
  const customerId = payer ?? present.paymentCustomerId;
  if (!current)
    return {
      plan: 'free',
      status: 'active',
      suspendedReason: null,
      paymentSubscriptionId: null,
      paymentCustomerId: customerId,
    };
  const isPaused = alive.length === 0;
  return {
    plan: current.plan,
    status: isPaused ? 'suspended' : 'active',
    suspendedReason: isPaused ? PAUSED_REASON : null,
    paymentSubscriptionId: current.id === GRANTED ? null : current.id,
    paymentCustomerId: customerId,
  };
}

/** Stands for a plan that nobody pays for. */
const GRANTED = '';

/**
 * A plan that the operator has given, as though it were paid for, before an event of the second provider: its buyers say
 * themselves whom they buy for, and nobody takes away by buying less in its name what a workspace was given.
 */
export function grantedBy(
  { plan, paymentSubscriptionId, paymentCustomerId }: BillingRecord,
  { renewsSilently }: Pick<BillingEvent, 'renewsSilently'>,
): Subscription[] {
  const isGranted = paymentSubscriptionId === null && paymentCustomerId === null && plan !== 'free';
  return isGranted && renewsSilently ? [untold(GRANTED, plan)] : [];
}

/** Whether there is a plan of that name. */
export function isPlan(name: string): name is PlanName {
  return PLAN_NAMES.some((known) => known === name);
}

function highest(subscriptions: readonly Subscription[]): Subscription | undefined {
  const rank = ({ plan }: Subscription): number => PLAN_NAMES.findIndex((name) => name === plan);
  return subscriptions.toSorted(
    (one, other) =>
      rank(other) - rank(one) || lastToldAt(other) - lastToldAt(one) || (one.id < other.id ? -1 : 1),
  )[0];
}

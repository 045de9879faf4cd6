/** Parses an event of the payment provider, section 4.6: `{event_type, timestamp, data}`. */
import { isJsonObject } from '../../../kernel/json.js';
import type { BillingMeaning, ParsedBillingEvent } from './billing-event.js';
import { idOf, momentIn, objectIn, textIn } from './provider-values.js';

const MEANINGS: Readonly<Record<string, BillingMeaning>> = {
  'subscription.activated': 'active',
  'subscription.active': 'active',
  'subscription.renewed': 'renewed',
  'payment.failed': 'warning',
  'subscription.past_due': 'warning',
  'subscription.cancelled': 'cancelled',
  'subscription.paused': 'paused',
};

/**
 * The event; undefined if the value has no type.
 * @param prefix the vendor's prefix, which is removed from the plan.
 * @param receivedAt the time for an event without one, or with a time in the future.
 */
export function readPaymentEvent(
  value: unknown,
  prefix: string,
  receivedAt: Date,
): ParsedBillingEvent | undefined {
  if (!isJsonObject(value)) return undefined;
  const type = textIn(value, 'event_type');
  if (type === undefined || type === '') return undefined;
  const data = objectIn(value, 'data');
  const plan = textIn(data, 'plan_id');
  return {
    type,
    meaning: (Object.hasOwn(MEANINGS, type) ? MEANINGS[type] : undefined) ?? 'none',
    at: momentIn(value, 'timestamp', receivedAt) ?? receivedAt,
    subscriptionId: idOf(data['subscription_id']),
    customerId: idOf(data['customer_id']),
    workspaceId: null,
    plan: plan === undefined ? null : withoutPrefix(plan, prefix),
    periodStart: momentIn(data, 'current_period_start') ?? null,
    periodEnd: momentIn(data, 'current_period_end') ?? null,
    renewsSilently: false,
    checkoutToken: textIn(objectIn(data, 'metadata'), 'checkout_token') ?? null,
  };
}

/** The product's own name for a plan. */
export function withoutPrefix(plan: string, prefix: string): string {
  return plan.startsWith(prefix) ? plan.slice(prefix.length) : plan;
}

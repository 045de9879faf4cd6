/**
 * Parses an event of the second billing provider, section 6.2: `{meta: {event_name, custom_data}, data: {id,
 * attributes}}`. The contract does not say what the events do, so the status in them decides: a subscription counts
 * while its status says that it is alive, and a cancelled one counts as such until it expires.
 */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { BillingMeaning, ParsedBillingEvent } from './billing-event.js';
import { idOf, momentIn, objectIn, textIn } from './provider-values.js';
import { withoutPrefix } from './read-payment-event.js';

/** The status values of a subscription. */
const STATUSES: Readonly<Record<string, BillingMeaning>> = {
  active: 'active',
  on_trial: 'active',
  past_due: 'warning',
  cancelled: 'warning',
  paused: 'paused',
  unpaid: 'paused',
  expired: 'cancelled',
};

/** The event; undefined if the value has no name. Parameters as in `readPaymentEvent`. */
export function readSubscriptionEvent(
  value: unknown,
  prefix: string,
  receivedAt: Date,
): ParsedBillingEvent | undefined {
  if (!isJsonObject(value)) return undefined;
  const meta = objectIn(value, 'meta');
  const custom = objectIn(meta, 'custom_data');
  const type = textIn(meta, 'event_name');
  if (type === undefined || type === '') return undefined;
  const data = objectIn(value, 'data');
  const attributes = objectIn(data, 'attributes');
  const workspaceId = textIn(custom, 'workspace_id') ?? '';
  // A failed payment is reported by an invoice, which names its subscription.
  const isInvoice = type === 'subscription_payment_failed';
  return {
    type,
    meaning: meaningOf(type, attributes),
    at: momentIn(attributes, 'updated_at', receivedAt) ?? receivedAt,
    subscriptionId: idOf(isInvoice ? attributes['subscription_id'] : data['id']),
    customerId: idOf(attributes['customer_id']),
    workspaceId: isUuid(workspaceId) ? workspaceId.toLowerCase() : null,
    plan: planOf(attributes, prefix),
    periodStart: null,
    periodEnd: momentIn(attributes, 'renews_at') ?? null,
    renewsSilently: true,
    checkoutToken: textIn(custom, 'checkout_token') ?? null,
  };
}

function meaningOf(type: string, attributes: JsonObject): BillingMeaning {
  const status = textIn(attributes, 'status') ?? '';
  switch (type) {
    case 'subscription_created':
    case 'subscription_updated':
      return (Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined) ?? 'none';
    case 'subscription_expired':
      return 'cancelled';
    case 'subscription_cancelled':
    case 'subscription_payment_failed':
      return 'warning';
    default:
      return 'none';
  }
}

/**
 * The plan of the event: by its id, or by the name of the purchased product. Fields that buyers may have set themselves
 * (`custom_data`) say nothing about what was paid for.
 */
function planOf(attributes: JsonObject, prefix: string): string | null {
  const named = [
    textIn(attributes, 'plan_id'),
    textIn(attributes, 'variant_name'),
    textIn(attributes, 'product_name'),
  ].find((name) => name !== undefined && name.trim() !== '');
  return named === undefined ? null : withoutPrefix(named.trim(), prefix).toLowerCase();
}

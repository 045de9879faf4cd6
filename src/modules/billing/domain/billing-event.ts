/** An event of any payment provider, in one form (sections 4.6, 6.1 and 6.2). */

/** The source of an event: the payment provider of section 4.6, which is deprecated, or the second one. */
export const BILLING_SOURCES = ['payment', 'billing'] as const;
export type BillingSource = (typeof BILLING_SOURCES)[number];

/** What an event means for a workspace. An event with `none` is stored and changes nothing. */
export const BILLING_MEANINGS = ['active', 'renewed', 'paused', 'cancelled', 'warning', 'none'] as const;
export type BillingMeaning = (typeof BILLING_MEANINGS)[number];

/**
 * What confirms that a subscription is the workspace's own: the operator's records, a checkout by the owner, or the
 * owner's confirmation. Without one, anyone may have bought it.
 */
export type Confirmation = 'link' | 'checkout' | 'owner';

/** Maximum characters of an id or a name from the provider. */
export const MAX_PROVIDER_NAME_LENGTH = 255;

export interface BillingEvent {
  /** The provider's name for it. */
  readonly type: string;
  readonly meaning: BillingMeaning;
  /** When the event happened, by the provider's clock. */
  readonly at: Date;
  readonly subscriptionId: string | null;
  readonly customerId: string | null;
  /** The workspace id that was passed to the provider. */
  readonly workspaceId: string | null;
  /** Without the vendor's prefix. Whether the plan exists is checked later. */
  readonly plan: string | null;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** Whether the provider does not announce renewals, so that a later end of the period means one. */
  readonly renewsSilently: boolean;
  /** What this event itself confirms; null if it confirms nothing, even if its subscription is already confirmed. */
  readonly confirmation: Confirmation | null;
}

/** A parsed event, before its workspace is known. */
export interface ParsedBillingEvent extends Omit<BillingEvent, 'confirmation'> {
  /** The token that the owner's checkout passed to the provider. */
  readonly checkoutToken: string | null;
}

/** Whether an event changes anything. A warning is only for people. */
export function isChange({ meaning }: Pick<BillingEvent, 'meaning'>): boolean {
  return meaning !== 'none' && meaning !== 'warning';
}

/** Why an event could not be applied. The event is kept, and can be replayed. */
export const BILLING_FAILURES = ['malformed', 'unknown_workspace', 'unknown_plan', 'internal_error'] as const;
export type BillingFailure = (typeof BILLING_FAILURES)[number];

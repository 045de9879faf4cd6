/** What a payment provider tells, whichever it is, in one form (sections 4.6, 6.1 and 6.2). */

/** Who tells: the payment provider of section 4.6, which is deprecated, or the second one. */
export const BILLING_SOURCES = ['payment', 'billing'] as const;
export type BillingSource = (typeof BILLING_SOURCES)[number];

/** What an event means for a workspace; `none` is kept and changes nothing. */
export const BILLING_MEANINGS = ['active', 'renewed', 'paused', 'cancelled', 'warning', 'none'] as const;
export type BillingMeaning = (typeof BILLING_MEANINGS)[number];

/**
 * Who vouches that a subscription is the workspace's own: the operator's records, a checkout of the owner's, or the owner's own
 * word. Where nobody does, somebody else may have bought it.
 */
export type Confirmation = 'link' | 'checkout' | 'owner';

/** Characters of an id or a name of the provider's. */
export const LONGEST_NAME = 255;

export interface BillingEvent {
  /** As the provider calls it. */
  readonly type: string;
  readonly meaning: BillingMeaning;
  /** When it happened, by the provider's clock. */
  readonly at: Date;
  readonly subscriptionId: string | null;
  readonly customerId: string | null;
  /** Whom the provider was told to name. */
  readonly workspaceId: string | null;
  /** Without the vendor's prefix; whether there is such a plan is asked later. */
  readonly plan: string | null;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** Whether the provider says nothing of renewals, so that a later end of the period tells of one. */
  readonly renewsSilently: boolean;
  /** What this event itself confirms; null where it confirms nothing, even if its subscription is confirmed already. */
  readonly confirmation: Confirmation | null;
}

/** An event as it was read, before it is known whose it is. */
export interface ReadEvent extends Omit<BillingEvent, 'confirmation'> {
  /** What the owner's checkout gave the provider to carry. */
  readonly checkoutToken: string | null;
}

/** Whether an event changes anything at all; a warning is for people. */
export function isChange({ meaning }: Pick<BillingEvent, 'meaning'>): boolean {
  return meaning !== 'none' && meaning !== 'warning';
}

/** Why an event could not be applied; it is kept, and can be replayed. */
export const BILLING_FAILURES = ['malformed', 'unknown_workspace', 'unknown_plan', 'internal_error'] as const;
export type BillingFailure = (typeof BILLING_FAILURES)[number];

/**
 * What an attempt that did not succeed says about the message: refused for now, refused for good, never handed
 * over, or handed over with no answer.
 */
export type FailedAttempt =
  /** The server refused this message for now; `domain` where that says something of other mail to its domain. */
  | { readonly kind: 'temporary'; readonly detail: string; readonly domain?: DomainRefusal }
  /** The server refused this message for good, or it cannot be put into an envelope. */
  | { readonly kind: 'permanent'; readonly detail: string }
  /**
   * The server, not the message, is in the way, and it has not taken it; `pause`: what it asks for, in milliseconds;
   * `isOfSender` where it may be this sender alone whom it refuses.
   */
  | {
      readonly kind: 'unreachable';
      readonly detail: string;
      readonly pause?: number;
      readonly isOfSender?: boolean;
    }
  /** The message was being handed over, or had been, and no answer came: it may have been accepted. */
  | { readonly kind: 'unknown_fate'; readonly detail: string };

/**
 * What a refusal says of other mail to the recipient's domain: `rate`, that there is too much of it now, whoever sends it;
 * `busy`, perhaps, of the tenant's own, which counts once it is said again and again.
 */
export type DomainRefusal = 'rate' | 'busy';

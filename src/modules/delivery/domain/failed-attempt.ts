/**
 * What a failed attempt means for the message: rejected temporarily, rejected permanently, not accepted for a reason
 * that is not the message, or transmitted without an answer.
 */
export type FailedAttempt =
  /** The server refused this message for now. `domain` is set if that affects other mail to its domain. */
  | { readonly kind: 'temporary'; readonly detail: string; readonly domain?: DomainRefusal }
  /** The server refused this message permanently, or it cannot be put into an envelope. */
  | { readonly kind: 'permanent'; readonly detail: string }
  /**
   * The problem is the server, not the message, which it has not accepted. `pause`: the pause that the server requests,
   * in milliseconds. `isOfSender`: the server may be refusing only this sender.
   */
  | {
      readonly kind: 'unreachable';
      readonly detail: string;
      readonly pause?: number;
      readonly isOfSender?: boolean;
    }
  /** The message was at least partly transmitted, and no answer came: it may have been accepted. */
  | { readonly kind: 'unknown_fate'; readonly detail: string };

/**
 * What a refusal means for other mail to the recipient's domain. `rate`: too much mail now, from any sender. `busy`:
 * possibly too much of the tenant's own mail, which counts only if it is repeated.
 */
export type DomainRefusal = 'rate' | 'busy';

/** The outcome of an attempt, as the ledger stores it. */
import type { EmailLogStatus } from './email-log-transitions.js';
import type { FailureCode, UnsentDecision } from './send-decision.js';

export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'suppressed'; readonly reason: string }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string }
  /** Queued again. `reissue`: the outcome of the attempt is unknown, which is counted. */
  | {
      readonly kind: 'again';
      readonly at: Date;
      readonly code: string;
      readonly detail: string;
      readonly reissue: boolean;
    };

/** The outcome of a message after a decision against sending it. */
export function outcomeOf(decision: UnsentDecision): SendOutcome {
  return decision.kind === 'suppress'
    ? { kind: 'suppressed', reason: decision.reason }
    : { kind: 'failed', code: decision.code, detail: decision.detail };
}

/** `error_code` of a message that may or may not have left. */
export const UNKNOWN_FATE = 'unknown_fate';

/**
 * The outcome of a message that fails by a fault of the product. Only a message that certainly never left can be
 * requeued. One that may have left, in this attempt or an earlier one, has an unknown outcome.
 * @param outcome the outcome of the attempt; undefined if nothing was attempted.
 * @param reissues how often the message was requeued with an unknown outcome.
 */
export function productFaultOutcome(
  outcome: SendOutcome | undefined,
  reissues: number,
  detail: string,
): SendOutcome {
  const mayHaveLeft =
    reissues > 0 ||
    outcome?.kind === 'sent' ||
    outcome?.kind === 'unknown' ||
    (outcome?.kind === 'again' && outcome.reissue);
  return mayHaveLeft ? { kind: 'unknown', detail } : { kind: 'failed', code: 'internal_error', detail };
}

/** The message's status after an outcome. */
export function statusAfter(outcome: SendOutcome): EmailLogStatus {
  return outcome.kind === 'again' ? 'queued' : outcome.kind;
}

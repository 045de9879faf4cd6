/** What an attempt at a message has come to, as the ledger is to store it. */
import type { EmailLogStatus } from './email-log-transitions.js';
import type { FailureCode, UnsentDecision } from './send-decision.js';

export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'suppressed'; readonly reason: string }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string }
  /** Queued again; `reissue` when its fate is unknown, which is counted. */
  | {
      readonly kind: 'again';
      readonly at: Date;
      readonly code: string;
      readonly detail: string;
      readonly reissue: boolean;
    };

/** What comes of a message that is decided not to be sent. */
export function outcomeOf(decision: UnsentDecision): SendOutcome {
  return decision.kind === 'suppress'
    ? { kind: 'suppressed', reason: decision.reason }
    : { kind: 'failed', code: decision.code, detail: decision.detail };
}

/** `error_code` of a message that may have gone out or not. */
export const UNKNOWN_FATE = 'unknown_fate';

/**
 * What becomes of a message that the product itself cannot go on with. Only what certainly never left may be put back:
 * what may have, in this attempt or in one whose fate stayed unknown, is of unknown fate.
 * @param outcome what the attempt has come to; undefined where nothing was attempted.
 * @param reissues how often the message was queued again without its fate being known.
 */
export function givenUp(outcome: SendOutcome | undefined, reissues: number, detail: string): SendOutcome {
  const mayHaveLeft =
    reissues > 0 ||
    outcome?.kind === 'sent' ||
    outcome?.kind === 'unknown' ||
    (outcome?.kind === 'again' && outcome.reissue);
  return mayHaveLeft ? { kind: 'unknown', detail } : { kind: 'failed', code: 'internal_error', detail };
}

/** The message's state after an outcome. */
export function statusAfter(outcome: SendOutcome): EmailLogStatus {
  return outcome.kind === 'again' ? 'queued' : outcome.kind;
}

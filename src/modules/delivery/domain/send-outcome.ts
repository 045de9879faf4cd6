/** What an attempt at a message has come to, as the ledger is to store it. */
import type { EmailLogStatus } from './email-log-transitions.js';
import type { FailureCode } from './send-decision.js';

export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'suppressed'; readonly reason: string }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string }
  /** Queued again; `reissue` when its fate was unknown, so that it happens once at most. */
  | {
      readonly kind: 'again';
      readonly at: Date;
      readonly code: string;
      readonly detail: string;
      readonly reissue: boolean;
    };

/** The message's state after an outcome. */
export function statusAfter(outcome: SendOutcome): EmailLogStatus {
  return outcome.kind === 'again' ? 'queued' : outcome.kind;
}

/**
 * The outcome of an attempt that is not in the ledger yet. Only its process knows it, and tries to store it with
 * growing pauses.
 */
import type { Failures } from '../../dead-letters/domain/retry-policy.js';
import type { FinishedSend } from './claimed-send.js';

export interface UnstoredOutcome {
  readonly finished: FinishedSend;
  /** Undefined until storing it alone was tried. */
  readonly failures: Failures | undefined;
}

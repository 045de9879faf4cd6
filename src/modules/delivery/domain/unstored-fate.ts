/**
 * The outcome of an attempt that is not in the ledger yet. Only its process knows it, and tries to store it with
 * growing pauses.
 */
import type { Failures } from '../../set-aside/domain/patience.js';
import type { FinishedSend } from './claimed-send.js';

export interface UnstoredFate {
  readonly finished: FinishedSend;
  /** Undefined until storing it alone was tried. */
  readonly failures: Failures | undefined;
}

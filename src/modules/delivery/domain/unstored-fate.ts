/**
 * What an attempt has come to, as long as it is not in the ledger. It stays in the hand of its process, which alone knows
 * it, and which tries to store it with growing pauses.
 */
import type { Failures } from '../../set-aside/domain/patience.js';
import type { FinishedSend } from './claimed-send.js';

export interface UnstoredFate {
  readonly finished: FinishedSend;
  /** Undefined while it has not been tried alone. */
  readonly failures: Failures | undefined;
}

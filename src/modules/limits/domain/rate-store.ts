/**
 * Where the processes of an installation count requests together (section 8.1): PostgreSQL, or Redis where the queue is on
 * it. What it keeps is cache: emptied, the windows begin anew.
 */
import type { Ask, Grant } from './held-window.js';

export interface RateStore {
  /**
   * Grants what there is room for, of each window by itself and in one round trip.
   * @param asks of different windows.
   * @returns the answers in the order of the asks.
   */
  take(asks: readonly Ask[]): Promise<Grant[]>;
  /** Forgets windows in which nothing counts any more, a bounded number of them. @returns whether there may be more. */
  sweep(): Promise<boolean>;
  close(): Promise<void>;
}

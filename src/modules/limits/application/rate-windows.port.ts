/** The windows of those who are known, wherever they are counted. */
import type { Bound } from '../domain/bounds.js';
import type { RateDecision } from '../domain/rate-decision.js';

export abstract class RateWindows {
  /**
   * Counts one request in all of the windows, or in none where one of them is full.
   * @param bounds one or more, of different keys.
   */
  abstract take(bounds: readonly Bound[]): RateDecision | Promise<RateDecision>;
}

/** The rate windows of authenticated callers, independent of where they are counted. */
import type { Bound } from '../domain/bounds.js';
import type { RateDecision } from '../domain/rate-decision.js';

export abstract class RateWindows {
  /**
   * Counts one request in all of the windows, or in none if one of them is full.
   * @param bounds one or more, with distinct keys.
   */
  abstract consume(bounds: readonly Bound[]): RateDecision | Promise<RateDecision>;
}

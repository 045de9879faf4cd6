/** A flow's throttle as delivery keeps it, section 2.3. */
import type { Throttle } from '../../delivery/domain/throttle.js';
import type { FlowSettings } from '../../flows/domain/flow.js';

/** The throttle that settings enable; null when they enable none. */
export function throttleOf({
  throttleEnabled,
  throttleLimit: limit,
  throttlePeriod: period,
}: FlowSettings): Throttle | null {
  return throttleEnabled && limit !== null && period !== null ? { limit, period } : null;
}

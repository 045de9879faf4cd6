/** A flow's throttle in the form that delivery stores, section 2.3. */
import type { Throttle } from '../../delivery/domain/throttle.js';
import type { FlowSettings } from '../../flows/domain/flow.js';

/** The throttle that the settings enable; null if they enable none. */
export function throttleOf({
  throttleEnabled,
  throttleLimit: limit,
  throttlePeriod: period,
}: FlowSettings): Throttle | null {
  return throttleEnabled && limit !== null && period !== null ? { limit, period } : null;
}

/** Whether a contact may enter a flow again, section 2.3 (flow settings). */
import { DAY } from '../../../kernel/duration.js';
import type { FlowSettings } from '../../flows/domain/flow.js';

/** What a contact's earlier trips through a flow come to. */
export interface EarlierTrips {
  readonly count: number;
  readonly inFlight: number;
  /** When the latest of them started; null when there was none. */
  readonly latestStart: Date | null;
}

export const NO_EARLIER_TRIPS: EarlierTrips = { count: 0, inFlight: 0, latestStart: null };

/**
 * Whether the policy lets the contact in.
 * - never: once, whatever became of that trip;
 * - after_completion: when no earlier trip is under way;
 * - always: every time, beside a trip that is under way too;
 * - cooldown: when the latest entry is at least so many days ago.
 */
export function mayReenter(settings: FlowSettings, earlier: EarlierTrips, now: Date): boolean {
  switch (settings.reentryPolicy) {
    case 'never':
      return earlier.count === 0;
    case 'after_completion':
      return earlier.inFlight === 0;
    case 'always':
      return true;
    case 'cooldown':
      return (
        earlier.latestStart === null ||
        now.getTime() - earlier.latestStart.getTime() >= (settings.reentryCooldownDays ?? 0) * DAY
      );
  }
}

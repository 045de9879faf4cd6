/** Whether a contact may enter a flow again, section 2.3 (flow settings). */
import { DAY } from '../../../kernel/duration.js';
import type { FlowSettings } from '../../flows/domain/flow.js';

/** A summary of a contact's earlier trips through a flow. */
export interface EarlierTrips {
  readonly count: number;
  readonly inFlight: number;
  /** When the latest of them started; null if there was none. */
  readonly latestStart: Date | null;
}

export const NO_EARLIER_TRIPS: EarlierTrips = { count: 0, inFlight: 0, latestStart: null };

/** Names the policy that keeps a contact out. */
export type ReentryRefusal = `reentry_${Exclude<FlowSettings['reentryPolicy'], 'always'>}`;

/** Whether a contact has at most one trip under way through a flow with these settings. */
export function allowsOneTripInFlight({ reentryPolicy }: FlowSettings): boolean {
  return reentryPolicy === 'never' || reentryPolicy === 'after_completion';
}

/**
 * Why the policy keeps the contact out; null if it admits the contact.
 * - never: only once, whatever the outcome of that trip;
 * - after_completion: if no earlier trip is under way;
 * - always: every time, even while another trip is under way;
 * - cooldown: if the latest entry is at least the given number of days ago.
 */
export function reentryRefusal(
  settings: FlowSettings,
  earlier: EarlierTrips,
  now: Date,
): ReentryRefusal | null {
  switch (settings.reentryPolicy) {
    case 'never':
      return earlier.count === 0 ? null : 'reentry_never';
    case 'after_completion':
      return earlier.inFlight === 0 ? null : 'reentry_after_completion';
    case 'always':
      return null;
    case 'cooldown': {
      const until = cooldownEnd(settings, earlier);
      return until === null || now >= until ? null : 'reentry_cooldown';
    }
  }
}

/** From when on a cooldown admits the contact again; null if it has not entered before. */
export function cooldownEnd(
  { reentryCooldownDays }: FlowSettings,
  { latestStart }: EarlierTrips,
): Date | null {
  return latestStart && new Date(latestStart.getTime() + (reentryCooldownDays ?? 0) * DAY);
}

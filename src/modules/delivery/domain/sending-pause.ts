/**
 * When promotional mail of a workspace is paused automatically: too much of it bounces, or too many recipients report
 * it as spam, and more of it would harm the reputation of all who send from the same domains. Transactional mail
 * continues. Only live mail counts.
 */
import { DAY } from '../../../kernel/duration.js';

export const PAUSE_REASONS = ['high_bounce_rate', 'high_complaint_rate'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Outcomes of promotional messages that were sent within the days that count. */
export interface SendingCounts {
  readonly sent: number;
  /** Hard or soft bounces. A message that was delivered later does not count. */
  readonly bounced: number;
  readonly complained: number;
}

/** Milliseconds of the past that count. */
export const RATE_WINDOW_MS = 7 * DAY;
/** With fewer messages, the rates say nothing yet. */
export const MIN_SENT_FOR_RATES = 200;
/** As a share of what was sent. */
export const MAX_BOUNCE_RATE = 0.05;
export const MAX_COMPLAINT_RATE = 0.001;
/** Milliseconds for which messages are held. Older messages are stale and are not sent any more. */
export const MAX_HOLD_MS = 7 * DAY;
/** If mail is paused again within this time, people must wait longer before they can resume it. */
const REPEAT_WINDOW_MS = 7 * DAY;
const REPEAT_COOLDOWN_MS = DAY;

/** Why these metrics pause promotional mail; undefined if they do not. */
export function pauseReasonOf({ sent, bounced, complained }: SendingCounts): PauseReason | undefined {
  if (sent < MIN_SENT_FOR_RATES) return undefined;
  if (bounced >= sent * MAX_BOUNCE_RATE) return 'high_bounce_rate';
  return complained >= sent * MAX_COMPLAINT_RATE ? 'high_complaint_rate' : undefined;
}

/** Since when the metrics count: what happened before a person resumed mail is ignored. */
export function ratesSince(countsSince: Date | null, now: Date): Date {
  const since = new Date(now.getTime() - RATE_WINDOW_MS);
  return countsSince !== null && countsSince > since ? countsSince : since;
}

/** Until when messages wait for the pause to end. */
export function heldUntil(pausedAt: Date): Date {
  return new Date(pausedAt.getTime() + MAX_HOLD_MS);
}

export type PauseDecision =
  | { readonly kind: 'open' }
  | { readonly kind: 'wait'; readonly until: Date }
  /** The pause was not ended in time. */
  | { readonly kind: 'suppress' };

/** How a pause affects a promotional message. @param pausedAt null if there is no pause. */
export function decideByPause(pausedAt: Date | null, now: Date): PauseDecision {
  if (pausedAt === null) return { kind: 'open' };
  const until = heldUntil(pausedAt);
  return now < until ? { kind: 'wait', until } : { kind: 'suppress' };
}

/**
 * When a person can resume promotional mail: immediately, or one day after the pause if mail was already resumed within
 * the week before it.
 * @param resumedBefore when mail was last resumed; null if it was never paused before.
 */
export function resumableAt(pausedAt: Date, resumedBefore: Date | null): Date {
  const isAgain = resumedBefore !== null && pausedAt.getTime() - resumedBefore.getTime() < REPEAT_WINDOW_MS;
  return isAgain ? new Date(pausedAt.getTime() + REPEAT_COOLDOWN_MS) : pausedAt;
}

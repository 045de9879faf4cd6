/**
 * When promotional mail of a workspace is paused automatically: too much of it bounces, or too many recipients report
 * it as spam, and more of it would harm the reputation of all who send from the same domains. Transactional mail
 * continues. Only live mail counts.
 */
import { DAY } from '../../../kernel/duration.js';

export const PAUSE_REASONS = ['high_bounce_rate', 'high_complaint_rate'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Outcomes of promotional messages that were sent within the days that count. */
export interface SendingFigures {
  readonly sent: number;
  /** Hard or soft bounces. A message that was delivered later does not count. */
  readonly bounced: number;
  readonly complained: number;
}

/** Milliseconds of the past that count. */
export const JUDGED_PAST = 7 * DAY;
/** With fewer messages, the rates say nothing yet. */
export const LEAST_JUDGED = 200;
/** As a share of what was sent. */
export const MOST_BOUNCED = 0.05;
export const MOST_COMPLAINED = 0.001;
/** Milliseconds for which messages are held. Older messages are stale and are not sent any more. */
export const HELD_FOR = 7 * DAY;
/** If mail is paused again within this time, people must wait longer before they can resume it. */
const AGAIN_WITHIN = 7 * DAY;
const REFLECTION = DAY;

/** Why these metrics pause promotional mail; undefined if they do not. */
export function pauseReasonOf({ sent, bounced, complained }: SendingFigures): PauseReason | undefined {
  if (sent < LEAST_JUDGED) return undefined;
  if (bounced >= sent * MOST_BOUNCED) return 'high_bounce_rate';
  return complained >= sent * MOST_COMPLAINED ? 'high_complaint_rate' : undefined;
}

/** Since when the metrics count: what happened before a person resumed mail is ignored. */
export function judgedSince(countsSince: Date | null, now: Date): Date {
  const since = new Date(now.getTime() - JUDGED_PAST);
  return countsSince !== null && countsSince > since ? countsSince : since;
}

/** Until when messages wait for the pause to end. */
export function heldUntil(pausedAt: Date): Date {
  return new Date(pausedAt.getTime() + HELD_FOR);
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
  const isAgain = resumedBefore !== null && pausedAt.getTime() - resumedBefore.getTime() < AGAIN_WITHIN;
  return isAgain ? new Date(pausedAt.getTime() + REFLECTION) : pausedAt;
}

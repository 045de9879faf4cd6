/**
 * When promotional mail of a workspace stops by itself: too much of it comes back, or too many call it spam, so that going
 * on would cost the repute of all who send from the same domains. Transactional mail goes on. Only live mail is judged.
 */
import { DAY } from '../../../kernel/duration.js';

export const PAUSE_REASONS = ['high_bounce_rate', 'high_complaint_rate'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** What became of promotional messages that were sent within the days that are judged. */
export interface SendingFigures {
  readonly sent: number;
  /** Hard or soft; one that was delivered later is none. */
  readonly bounced: number;
  readonly complained: number;
}

/** Milliseconds of the past that are judged. */
export const JUDGED_PAST = 7 * DAY;
/** Fewer messages say nothing yet. */
export const LEAST_JUDGED = 200;
/** Shares of what was sent. */
export const MOST_BOUNCED = 0.05;
export const MOST_COMPLAINED = 0.001;
/** Milliseconds for which messages are held; what is older by then is stale, and is not sent any more. */
export const HELD_FOR = 7 * DAY;
/** How soon a pause is no accident any more, and how long people have to look into it before they go on. */
const AGAIN_WITHIN = 7 * DAY;
const REFLECTION = DAY;

/** Why promotional mail stops at these figures; undefined where it goes on. */
export function pauseReasonOf({ sent, bounced, complained }: SendingFigures): PauseReason | undefined {
  if (sent < LEAST_JUDGED) return undefined;
  if (bounced >= sent * MOST_BOUNCED) return 'high_bounce_rate';
  return complained >= sent * MOST_COMPLAINED ? 'high_complaint_rate' : undefined;
}

/** From when on figures count: what went before a person's word to go on is forgiven. */
export function judgedSince(countsSince: Date | null, now: Date): Date {
  const since = new Date(now.getTime() - JUDGED_PAST);
  return countsSince !== null && countsSince > since ? countsSince : since;
}

/** Until when messages wait for a pause to be ended. */
export function heldUntil(pausedAt: Date): Date {
  return new Date(pausedAt.getTime() + HELD_FOR);
}

export type PauseDecision =
  | { readonly kind: 'open' }
  | { readonly kind: 'wait'; readonly until: Date }
  /** Nobody has ended the pause in time. */
  | { readonly kind: 'suppress' };

/** What a pause means for a promotional message. @param pausedAt null where there is none. */
export function decideByPause(pausedAt: Date | null, now: Date): PauseDecision {
  if (pausedAt === null) return { kind: 'open' };
  const until = heldUntil(pausedAt);
  return now < until ? { kind: 'wait', until } : { kind: 'suppress' };
}

/**
 * From when on a person may have promotional mail go on: at once as a rule; a day after it stopped where it has gone on by
 * such a word within the week before.
 * @param resumedBefore when it had last gone on; null when it had not stopped before.
 */
export function resumableAt(pausedAt: Date, resumedBefore: Date | null): Date {
  const isAgain = resumedBefore !== null && pausedAt.getTime() - resumedBefore.getTime() < AGAIN_WITHIN;
  return isAgain ? new Date(pausedAt.getTime() + REFLECTION) : pausedAt;
}

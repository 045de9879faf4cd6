/**
 * When a message that was not accepted is tried again, and when no more: temporary refusals and unreachable
 * servers for a day; a transactional message whose fate is unknown five times, promotional ones never.
 */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { FailedAttempt } from './failed-attempt.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

interface Backoff {
  readonly first: number;
  readonly factor: number;
  readonly longest: number;
}

const BACKOFFS = {
  /** A refusal is often a greylist or a rate limit: minutes. */
  temporary: { first: 30 * SECOND, factor: 2, longest: HOUR },
  /** An unreachable server is often one that restarts: seconds; the lanes are held back besides. */
  unreachable: { first: 2 * SECOND, factor: 2, longest: 600 * SECOND },
  /** Few tries for a person who waits: at once after a chance break, over some minutes after one that lasts. */
  unknown_fate: { first: 2 * SECOND, factor: 4, longest: 600 * SECOND },
} as const satisfies Record<string, Backoff>;

const FEWEST_ATTEMPTS = 5;
const LONGEST_TRYING = 24 * HOUR;

/**
 * Milliseconds until the next attempt: exponential in the attempts made, with jitter over the upper half, so that
 * messages refused together do not come back together.
 * @param attempt attempts made so far that ended so, from 1.
 * @param random from 0 to 1.
 */
export function retryDelay(kind: keyof typeof BACKOFFS, attempt: number, random: number): number {
  const { first, factor, longest } = BACKOFFS[kind];
  const full = Math.min(first * factor ** (attempt - 1), longest);
  return Math.floor(full * (0.5 + random / 2));
}

/** Whether a message may be tried again: for a day after it could first go, and five times in any case. */
export function mayTryAgain(attempts: number, triedSince: Date, now: Date): boolean {
  return attempts < FEWEST_ATTEMPTS || now.getTime() - triedSince.getTime() < LONGEST_TRYING;
}

/** The part of a message that decides about its repetition. */
export interface Attempted {
  readonly contentType: ContentType;
  readonly attempts: number;
  readonly reissues: number;
  /** Since when it might go. */
  readonly triedSince: Date;
}

/**
 * How often a message is sent again by itself that may have left: one that outlives more crashes may be their cause, and a
 * server that cuts more connections may have every copy.
 */
const MOST_REISSUES = 5;

/**
 * What becomes of a message that was being sent when its process died: a transactional one is sent again, once after
 * each crash, under the same Message-ID, since most were not on the wire yet and none may be lost; any other is not.
 */
export function afterCrash({
  contentType,
  reissues,
}: Pick<Attempted, 'contentType' | 'reissues'>): 'reissue' | 'unknown' {
  return isSentAgain({ contentType, reissues }) ? 'reissue' : 'unknown';
}

/**
 * Whether a message is sent again whose connection broke after its content, before the server's answer: a receipt that
 * comes twice under one Message-ID is better than none, an advertisement is not.
 */
function isSentAgain({ contentType, reissues }: Pick<Attempted, 'contentType' | 'reissues'>): boolean {
  return contentType === 'transactional' && reissues < MOST_REISSUES;
}

export type AfterFailure =
  | {
      readonly kind: 'again';
      readonly at: Date;
      readonly code: string;
      readonly detail: string;
      readonly reissue: boolean;
    }
  | { readonly kind: 'failed'; readonly code: 'rejected' | 'gave_up'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

/**
 * What becomes of a message after an attempt that did not succeed. A server's word about the message is the end of it; one
 * that may have left before and got no such word is of unknown fate when it is tried no more.
 */
export function afterFailure(log: Attempted, failed: FailedAttempt, now: Date, random: number): AfterFailure {
  const { detail } = failed;
  switch (failed.kind) {
    case 'permanent':
      return { kind: 'failed', code: 'rejected', detail };
    case 'unknown_fate': {
      if (!isSentAgain(log)) return { kind: 'unknown', detail };
      const at = new Date(now.getTime() + retryDelay('unknown_fate', log.reissues + 1, random));
      return { kind: 'again', at, code: 'unknown_fate', detail, reissue: true };
    }
    case 'temporary':
    case 'unreachable': {
      if (!mayTryAgain(log.attempts, log.triedSince, now))
        return log.reissues > 0 ? { kind: 'unknown', detail } : { kind: 'failed', code: 'gave_up', detail };
      const at = new Date(now.getTime() + retryDelay(failed.kind, log.attempts, random));
      return { kind: 'again', at, code: failed.kind, detail, reissue: false };
    }
  }
}

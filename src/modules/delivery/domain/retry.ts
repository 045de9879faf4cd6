/**
 * When a message that was not accepted is tried again, and when no more: temporary refusals and unreachable
 * servers for a day, a message whose fate is unknown once after each crash.
 */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { FailedAttempt } from './smtp-answer.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

interface Backoff {
  readonly first: number;
  readonly longest: number;
}

/** A refusal is often a greylist or a rate limit: minutes. */
const REFUSED: Backoff = { first: 30 * SECOND, longest: HOUR };
/** An unreachable server is often one that restarts: seconds; the lanes are held back besides. */
const UNREACHABLE: Backoff = { first: 2 * SECOND, longest: 600 * SECOND };

const FEWEST_ATTEMPTS = 5;
const LONGEST_TRYING = 24 * HOUR;

/**
 * Milliseconds until the next attempt: exponential in the attempts made, with jitter over the upper half, so that
 * messages refused together do not come back together.
 * @param attempt attempts made so far, from 1.
 * @param random from 0 to 1.
 */
export function retryDelay(kind: 'temporary' | 'unreachable', attempt: number, random: number): number {
  const { first, longest } = kind === 'temporary' ? REFUSED : UNREACHABLE;
  const full = Math.min(first * 2 ** (attempt - 1), longest);
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

/** Crashes after which a message is sent again; one that outlives more of them may be their cause. */
const MOST_CRASHES = 5;

/**
 * What becomes of a message that was being sent when its process died: a transactional one is sent again, once after
 * each crash, under the same Message-ID, since most were not on the wire yet and none may be lost; any other is not.
 */
export function afterCrash({
  contentType,
  reissues,
}: Pick<Attempted, 'contentType' | 'reissues'>): 'reissue' | 'unknown' {
  return contentType === 'transactional' && reissues < MOST_CRASHES ? 'reissue' : 'unknown';
}

/** Whether a message is sent again whose connection broke after its content, before the server's answer. */
function isSentAgain({ contentType, reissues }: Attempted): boolean {
  return contentType === 'transactional' && reissues === 0;
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

/** What becomes of a message after an attempt that did not succeed. */
export function afterFailure(log: Attempted, failed: FailedAttempt, now: Date, random: number): AfterFailure {
  const { detail } = failed;
  switch (failed.kind) {
    case 'permanent':
      return { kind: 'failed', code: 'rejected', detail };
    case 'unknown_fate': {
      if (!isSentAgain(log)) return { kind: 'unknown', detail };
      const at = new Date(now.getTime() + retryDelay('unreachable', 1, random));
      return { kind: 'again', at, code: 'unknown_fate', detail, reissue: true };
    }
    case 'temporary':
    case 'unreachable': {
      if (!mayTryAgain(log.attempts, log.triedSince, now)) return { kind: 'failed', code: 'gave_up', detail };
      const at = new Date(now.getTime() + retryDelay(failed.kind, log.attempts, random));
      return { kind: 'again', at, code: failed.kind, detail, reissue: false };
    }
  }
}

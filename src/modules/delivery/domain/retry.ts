/**
 * When a message that was not accepted is retried, and when no more. Temporary refusals and unreachable servers are
 * retried for a day. A transactional message with an unknown outcome is retried five times, a promotional one never.
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
  /** A refusal is often a greylist or a rate limit, which lasts minutes. */
  temporary: { first: 30 * SECOND, factor: 2, longest: HOUR },
  /** An unreachable server is often restarting, which takes seconds. The lanes are also held back. */
  unreachable: { first: 2 * SECOND, factor: 2, longest: 600 * SECOND },
  /**
   * A few retries, because a person is waiting: immediately after a single break, over some minutes if breaks continue.
   */
  unknown_fate: { first: 2 * SECOND, factor: 4, longest: 600 * SECOND },
} as const satisfies Record<string, Backoff>;

const MIN_ATTEMPTS = 5;
const MAX_RETRY_MS = 24 * HOUR;

/**
 * Milliseconds until the next attempt: exponential in the number of attempts, with jitter over the upper half, so that
 * messages refused together are not retried together.
 * @param attempt attempts so far that ended this way, from 1.
 * @param random from 0 to 1.
 */
export function retryDelay(kind: keyof typeof BACKOFFS, attempt: number, random: number): number {
  const { first, factor, longest } = BACKOFFS[kind];
  const full = Math.min(first * factor ** (attempt - 1), longest);
  return Math.floor(full * (0.5 + random / 2));
}

/** Whether a message can be retried: for a day after it could first go, and until it has had five attempts. */
export function mayTryAgain(attempts: number, triedSince: Date, now: Date): boolean {
  return attempts < MIN_ATTEMPTS || now.getTime() - triedSince.getTime() < MAX_RETRY_MS;
}

/** The part of a message that decides about retries. */
export interface Attempted {
  readonly contentType: ContentType;
  readonly attempts: number;
  readonly reissues: number;
  /** Since when the message could go. */
  readonly triedSince: Date;
}

/**
 * How often a message that may have left is resent automatically. A message that survives more crashes may be causing
 * them, and a server that cuts more connections may have received every copy.
 */
const MAX_REISSUES = 5;

/**
 * The state of a message whose process died while sending it. A transactional message is sent again, once after each
 * crash, under the same Message-ID: most were not transmitted yet, and none may be lost. Any other message is not.
 */
export function afterCrash({
  contentType,
  reissues,
}: Pick<Attempted, 'contentType' | 'reissues'>): 'reissue' | 'unknown' {
  return isSentAgain({ contentType, reissues }) ? 'reissue' : 'unknown';
}

/**
 * Whether to resend a message whose connection broke after its content, before the server's answer. A receipt that
 * arrives twice under one Message-ID is better than none; an advertisement is not.
 */
function isSentAgain({ contentType, reissues }: Pick<Attempted, 'contentType' | 'reissues'>): boolean {
  return contentType === 'transactional' && reissues < MAX_REISSUES;
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
 * The outcome of a message after a failed attempt. A server's permanent answer settles it. A message that may have left
 * before and got no such answer has an unknown outcome when it is no longer retried.
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

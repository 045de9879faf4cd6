/** What the answer of a provider's API says about the message that it was given whole. */
import type { FailedAttempt } from './failed-attempt.js';

export interface HttpAnswer {
  readonly status: number;
  /** As the header has it. */
  readonly retryAfter: string | undefined;
  /** LONGEST_ANSWER bytes of it at most. */
  readonly body: string;
}

/** Bytes of an answer that are read. */
export const LONGEST_ANSWER = 64 * 1_024;

/** Milliseconds; a provider that asks for longer is asked again then. */
const LONGEST_PAUSE = 3_600_000;

/** It is we who are refused, or the address is wrong: keys, accounts, redirections. */
const OF_US = new Set([401, 402, 404, 405, 407, 410, 421, 426]);
/** It is we, or this sender alone: an address that the provider has not verified. */
const OF_SENDER = 403;
/** Asked for later, and certainly not taken. */
const LATER = new Set([425, 429]);
/** The same where it says for how long: without, a gateway may have lost the answer of who has taken the message. */
const LATER_BY_ITS_WORD = 503;

/**
 * Undefined where the message was taken. Other answers 5xx, 408, and 409, which says that an attempt with its key is being
 * worked on, leave open whether it was.
 */
export function classifyHttpAnswer(answer: HttpAnswer, recipient: string): FailedAttempt | undefined {
  const { status } = answer;
  const words = wordsOf(answer.body);
  const detail = words.said === '' ? String(status) : `${status} ${words.said}`;
  if (status >= 200 && status < 300) {
    if (words.isRefused || words.bounced.some(isSameAs(recipient))) return { kind: 'permanent', detail };
    return undefined;
  }
  const pause = pauseOf(answer.retryAfter);
  if (LATER.has(status) || (status === LATER_BY_ITS_WORD && pause !== undefined))
    return pause === undefined ? { kind: 'unreachable', detail } : { kind: 'unreachable', detail, pause };
  if ((status >= 300 && status < 400) || OF_US.has(status)) return { kind: 'unreachable', detail };
  if (status === OF_SENDER) return { kind: 'unreachable', detail, isOfSender: true };
  if (status >= 400 && status < 500 && status !== 408 && status !== 409) return { kind: 'permanent', detail };
  return { kind: 'unknown_fate', detail };
}

/** Milliseconds of a Retry-After in seconds; dates are left to our own pauses. */
function pauseOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * 1_000, LONGEST_PAUSE)
    : undefined;
}

/** Providers may spell an address back in lower case. */
const isSameAs =
  (recipient: string) =>
  (named: unknown): boolean =>
    typeof named === 'string' && named.trim().toLowerCase() === recipient.toLowerCase();

interface Words {
  /** Empty where nothing was. */
  readonly said: string;
  /** Whether the body says that nothing was taken though the status says otherwise. */
  readonly isRefused: boolean;
  readonly bounced: readonly unknown[];
}

/** `success`, `errors[].message`, `message`, `error` and `result.permanent_bounces` of a body; anything else says nothing. */
function wordsOf(body: string): Words {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return { said: '', isRefused: false, bounced: [] };
  }
  const said = [
    ...listOf(memberOf(read, 'errors')).map((one) => memberOf(one, 'message')),
    memberOf(read, 'message'),
    memberOf(memberOf(read, 'error'), 'message'),
    memberOf(read, 'error'),
  ].find((one): one is string => typeof one === 'string' && one !== '');
  return {
    said: said ?? '',
    isRefused: memberOf(read, 'success') === false,
    bounced: listOf(memberOf(memberOf(read, 'result'), 'permanent_bounces')),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What the answer of a provider's API means for a message that was transmitted completely. */
import type { FailedAttempt } from './failed-attempt.js';

export interface HttpAnswer {
  readonly status: number;
  /** The raw header value. */
  readonly retryAfter: string | undefined;
  /** At most LONGEST_ANSWER bytes. */
  readonly body: string;
}

/** Maximum bytes of an answer that are read. */
export const LONGEST_ANSWER = 64 * 1_024;

/** Milliseconds. If a provider requests a longer pause, it is tried again after this one. */
const LONGEST_PAUSE = 3_600_000;

/** Our account is refused, or the address is wrong: keys, accounts, redirects. */
const OF_US = new Set([401, 402, 404, 405, 407, 410, 421, 426]);
/** Our account is refused, or only this sender: an address that the provider has not verified. */
const OF_SENDER = 403;
/** The provider asks for a later attempt and has certainly not accepted the message. */
const LATER = new Set([425, 429]);
/**
 * The same, but only with a Retry-After header. Without it, a gateway may have lost the answer of a server that
 * accepted the message.
 */
const LATER_BY_ITS_WORD = 503;

/**
 * Undefined if the message was accepted. Other 5xx answers, 408 and 409 (an attempt with the same key is in progress)
 * leave open whether it was.
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

/** Milliseconds of a Retry-After in seconds. For dates, our own pauses apply. */
function pauseOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * 1_000, LONGEST_PAUSE)
    : undefined;
}

/** Providers may return an address in lower case. */
const isSameAs =
  (recipient: string) =>
  (named: unknown): boolean =>
    typeof named === 'string' && named.trim().toLowerCase() === recipient.toLowerCase();

interface Words {
  /** Empty if the body says nothing. */
  readonly said: string;
  /** Whether the body says that nothing was accepted although the status says otherwise. */
  readonly isRefused: boolean;
  readonly bounced: readonly unknown[];
}

/**
 * Reads `success`, `errors[].message`, `message`, `error` and `result.permanent_bounces` of a body and ignores
 * everything else.
 */
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

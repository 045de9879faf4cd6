/** What the answer of a provider's API means for a message that was transmitted completely. */
import type { FailedAttempt } from './failed-attempt.js';

export interface HttpResponse {
  readonly status: number;
  /** The raw header value. */
  readonly retryAfter: string | undefined;
  /** At most MAX_RESPONSE_BYTES bytes. */
  readonly body: string;
}

/** Maximum bytes of an answer that are read. */
export const MAX_RESPONSE_BYTES = 64 * 1_024;

/** Milliseconds. If a provider requests a longer pause, it is tried again after this one. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Our account is refused, or the address is wrong: keys, accounts, redirects. */
const ACCOUNT_REFUSED_STATUSES = new Set([401, 402, 404, 405, 407, 410, 421, 426]);
/** Our account is refused, or only this sender: an address that the provider has not verified. */
const SENDER_REFUSED_STATUS = 403;
/** The provider asks for a later attempt and has certainly not accepted the message. */
const RETRY_STATUSES = new Set([425, 429]);
/**
 * The same, but only with a Retry-After header. Without it, a gateway may have lost the answer of a server that
 * accepted the message.
 */
const RETRY_AFTER_STATUS = 503;

/**
 * Undefined if the status says that the message was accepted. Other 5xx answers, 408 and 409 (an attempt with the
 * same key is in progress) leave open whether it was.
 * @param message the error message of the body; empty if there is none.
 */
export function classifyHttpStatus(response: HttpResponse, message: string): FailedAttempt | undefined {
  const { status } = response;
  const detail = detailOf(response, message);
  if (status >= 200 && status < 300) return undefined;
  const pause = retryAfterMsOf(response.retryAfter);
  if (RETRY_STATUSES.has(status) || (status === RETRY_AFTER_STATUS && pause !== undefined))
    return pause === undefined ? { kind: 'unreachable', detail } : { kind: 'unreachable', detail, pause };
  if ((status >= 300 && status < 400) || ACCOUNT_REFUSED_STATUSES.has(status))
    return { kind: 'unreachable', detail };
  if (status === SENDER_REFUSED_STATUS) return { kind: 'unreachable', detail, isOfSender: true };
  if (status >= 400 && status < 500 && status !== 408 && status !== 409) return { kind: 'permanent', detail };
  return { kind: 'unknown_fate', detail };
}

/** The status, and the error message of the body if there is one. */
export function detailOf({ status }: HttpResponse, message: string): string {
  return message === '' ? String(status) : `${status} ${message}`;
}

/** Milliseconds of a Retry-After in seconds. For dates, our own pauses apply. */
function retryAfterMsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * 1_000, MAX_RETRY_AFTER_MS)
    : undefined;
}

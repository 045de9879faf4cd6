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
 * Undefined if the message was accepted. Other 5xx answers, 408 and 409 (an attempt with the same key is in progress)
 * leave open whether it was.
 */
export function classifyHttpResponse(response: HttpResponse, recipient: string): FailedAttempt | undefined {
  const { status } = response;
  const body = readProviderBody(response.body);
  const detail = body.message === '' ? String(status) : `${status} ${body.message}`;
  if (status >= 200 && status < 300) {
    if (body.isRefused || body.bounced.some(isSameAs(recipient))) return { kind: 'permanent', detail };
    return undefined;
  }
  const pause = retryAfterMsOf(response.retryAfter);
  if (RETRY_STATUSES.has(status) || (status === RETRY_AFTER_STATUS && pause !== undefined))
    return pause === undefined ? { kind: 'unreachable', detail } : { kind: 'unreachable', detail, pause };
  if ((status >= 300 && status < 400) || ACCOUNT_REFUSED_STATUSES.has(status))
    return { kind: 'unreachable', detail };
  if (status === SENDER_REFUSED_STATUS) return { kind: 'unreachable', detail, isOfSender: true };
  if (status >= 400 && status < 500 && status !== 408 && status !== 409) return { kind: 'permanent', detail };
  return { kind: 'unknown_fate', detail };
}

/** Milliseconds of a Retry-After in seconds. For dates, our own pauses apply. */
function retryAfterMsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * 1_000, MAX_RETRY_AFTER_MS)
    : undefined;
}

/** Providers may return an address in lower case. */
const isSameAs =
  (recipient: string) =>
  (address: unknown): boolean =>
    typeof address === 'string' && address.trim().toLowerCase() === recipient.toLowerCase();

interface ProviderBody {
  /** Empty if the body says nothing. */
  readonly message: string;
  /** Whether the body says that nothing was accepted although the status says otherwise. */
  readonly isRefused: boolean;
  readonly bounced: readonly unknown[];
}

/**
 * Reads `success`, `errors[].message`, `message`, `error` and `result.permanent_bounces` of a body and ignores
 * everything else.
 */
function readProviderBody(body: string): ProviderBody {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return { message: '', isRefused: false, bounced: [] };
  }
  const message = [
    ...listOf(memberOf(read, 'errors')).map((one) => memberOf(one, 'message')),
    memberOf(read, 'message'),
    memberOf(memberOf(read, 'error'), 'message'),
    memberOf(read, 'error'),
  ].find((one): one is string => typeof one === 'string' && one !== '');
  return {
    message: message ?? '',
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

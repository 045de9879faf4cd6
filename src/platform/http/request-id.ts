/**
 * Assigns each request an id, which its response, errors and log lines carry, so that a user's report leads to the log.
 * A valid X-Request-ID from the client is kept.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Printable ASCII of limited length, safe in a log line. */
const VALID_ID = /^[\x21-\x7e]{1,128}$/;

const processPrefix = randomBytes(9).toString('hex');
let count = 0;

/** The client's id of a request, or a new globally unique one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && VALID_ID.test(given) ? given : newRequestId();
}

/** A new id. Must be cheap, because every request needs one. */
export function newRequestId(): string {
  return `${processPrefix}-${(count++).toString(36)}`;
}

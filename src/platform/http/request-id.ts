/**
 * Each request has an id that its answer, its errors and its log lines carry, so that a report of a user leads to
 * the line in the log. A caller's own X-Request-ID is kept when it is sane.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Printable ASCII, as long as a log line can bear. */
const SANE = /^[\x21-\x7e]{1,128}$/;

const ofThisProcess = randomBytes(9).toString('hex');
let count = 0;

/** The caller's id of a request, or a new one that no other process makes. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SANE.test(given) ? given : newRequestId();
}

/** A new id: cheap, since every request of the hot path needs one. */
export function newRequestId(): string {
  return `${ofThisProcess}-${(count++).toString(36)}`;
}

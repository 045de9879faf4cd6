/**
 * Verifies signatures of the Standard Webhooks scheme: HMAC-SHA256 over the message's id, timestamp and raw body, in
 * base64. Headers are named `svix-…` or `webhook-…`.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Maximum difference between a message's timestamp and now, in either direction, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;
const SIGNATURE_PREFIX = 'v1,';
/** A provider that rotates its key signs with both; more signatures are not needed. */
const MAX_SIGNATURES = 16;
const MAX_ID_CHARS = 256;

/**
 * The id of a recent message that one of the keys has signed; undefined for any other.
 * @param now real time, in milliseconds.
 */
export function signedMessageId(
  headers: Headers,
  body: Buffer,
  keys: readonly Buffer[],
  now: number,
): string | undefined {
  const id = header(headers, 'id');
  const timestamp = header(headers, 'timestamp');
  const signatures = header(headers, 'signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) return undefined;
  if (id.length > MAX_ID_CHARS || !/^[\x21-\x7e]+$/.test(id)) return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1_000) > TOLERANCE_MS)
    return undefined;
  const given = signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .flatMap((text) => (text.startsWith(SIGNATURE_PREFIX) ? [text.slice(SIGNATURE_PREFIX.length)] : []));
  // All pairs are compared, so the time taken does not reveal which was nearly right.
  let isSigned = false;
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    for (const text of given) if (isSame(text, expected)) isSigned = true;
  }
  return isSigned ? id : undefined;
}

/** Whether two texts are equal, compared in constant time by digests of equal length. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[`svix-${name}`] ?? headers[`webhook-${name}`];
  return typeof value === 'string' ? value.trim() : undefined;
}

/**
 * Signatures in the Standard Webhooks manner: HMAC-SHA256 over the message's id, its moment and its body as it came, in
 * base64. Headers come as `svix-…` or as `webhook-…`.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far a message's moment may lie from the present, either way, in milliseconds. */
const TOLERANCE = 5 * 60_000;
const VERSION = 'v1,';
/** A provider that changes its key signs with both; nobody has reason to send more. */
const MOST_SIGNATURES = 16;
const LONGEST_ID = 256;

/**
 * The id of a message that one of the keys has signed a moment ago; undefined of any other.
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
  if (id.length > LONGEST_ID || !/^[\x21-\x7e]+$/.test(id)) return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1_000) > TOLERANCE)
    return undefined;
  const given = signatures
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .flatMap((text) => (text.startsWith(VERSION) ? [text.slice(VERSION.length)] : []));
  // Every pair is compared, so that the time it takes tells nothing of which was nearly right.
  let isSigned = false;
  for (const key of keys) {
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    for (const text of given) if (isSame(text, right)) isSigned = true;
  }
  return isSigned ? id : undefined;
}

/** Whether two texts of any length are the same, compared by digests of equal length in constant time. */
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

/**
 * Tokens of a few bytes and a signature over them: what stands in an address, that nobody but the product could have made.
 * What the bytes say is the caller's business.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from './tenant-scope.js';

/** 128 bits: addresses are long enough. */
const SIGNATURE = 16;

/** The token of claims, which needs no escaping in an address. */
export function signClaims(claims: Buffer, signing: Buffer): string {
  return Buffer.concat([claims, signatureOf(claims, signing)]).toString('base64url');
}

/**
 * The claims of a token; undefined unless every bit of it is as one of the keys signed it.
 * @param least bytes that its claims have at the least.
 * @param keys those that may have signed these claims.
 */
export function readClaims(
  token: string,
  least: number,
  keys: (claims: Buffer) => readonly Buffer[],
): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Written in the one way there is: the last character has bits that count for nothing.
  if (bytes.length < least + SIGNATURE || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, -SIGNATURE);
  const signature = bytes.subarray(-SIGNATURE);
  return keys(claims).some((key) => timingSafeEqual(signature, signatureOf(claims, key)))
    ? claims
    : undefined;
}

/** Bytes of a UUID in claims. */
export const UUID_BYTES = 16;

export function bytesOfUuid(uuid: string): Buffer {
  if (!isUuid(uuid)) throw new TypeError('Records in claims must be named by UUID.');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

export function uuidAt(claims: Buffer, at: number): string {
  const hex = claims.subarray(at, at + UUID_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function signatureOf(claims: Buffer, signing: Buffer): Buffer {
  return createHmac('sha256', signing).update(claims).digest().subarray(0, SIGNATURE);
}

/**
 * Compact signed tokens for URLs: a few bytes and a signature over them, so that only the product can create one. The
 * caller defines the meaning of the bytes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from './tenant-scope.js';

/** 128 bits, to keep URLs short. */
const SIGNATURE_BYTES = 16;

/** Encodes claims as a token that is safe in URLs without escaping. */
export function signClaims(claims: Buffer, signing: Buffer): string {
  return Buffer.concat([claims, signatureOf(claims, signing)]).toString('base64url');
}

/**
 * Decodes and verifies a token. Undefined unless one of the keys signed exactly these bytes.
 * @param minBytes minimum length of the claims in bytes.
 * @param keys keys that may have signed the claims.
 */
export function readClaims(
  token: string,
  minBytes: number,
  keys: (claims: Buffer) => readonly Buffer[],
): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Reject non-canonical base64url: the last character has unused bits.
  if (bytes.length < minBytes + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, -SIGNATURE_BYTES);
  const signature = bytes.subarray(-SIGNATURE_BYTES);
  return keys(claims).some((key) => timingSafeEqual(signature, signatureOf(claims, key)))
    ? claims
    : undefined;
}

/** Length of a UUID in claims, in bytes. */
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
  return createHmac('sha256', signing).update(claims).digest().subarray(0, SIGNATURE_BYTES);
}

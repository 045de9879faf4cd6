/** Authenticates payment providers: a secret in a header, or a signature over the body, sections 4.6 and 5. */
import { createHash, createHmac } from 'node:crypto';
import { equalDigests } from '../../../platform/crypto/equal-digests.js';

/** Longer than any secret. It bounds the cost of hashing a header. */
const MAX_HEADER_LENGTH = 4_096;

/**
 * Whether a header contains one of the secrets. All are compared, by digests of equal length and in constant time, so
 * that the timing reveals nothing about a secret.
 */
export function matchesSecret(header: unknown, secrets: readonly string[]): boolean {
  if (typeof header !== 'string' || header === '' || header.length > MAX_HEADER_LENGTH) return false;
  const digest = sha256(header);
  let isMatch = false;
  for (const secret of secrets) if (secret !== '' && equalDigests(digest, sha256(secret))) isMatch = true;
  return isMatch;
}

/** Whether a header is the body's HMAC-SHA256 under the secret, in hexadecimal digits. */
export function isSignature(header: unknown, body: Buffer, secret: string | undefined): boolean {
  if (secret === undefined || secret === '' || typeof header !== 'string') return false;
  if (!/^[0-9a-f]{64}$/i.test(header)) return false;
  return equalDigests(header, createHmac('sha256', secret).update(body).digest('hex'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The token of a share link, section 4.4. The token alone gives access to the report, so only its hash is stored. */
import { createHash } from 'node:crypto';

export const LINK_DAYS = { min: 1, max: 90, default: 7 } as const;

/** Random bytes per token: 256 bits cannot be guessed, so the hash needs no secret. */
export const TOKEN_BYTES = 32;

/** The path of a shared report, relative to the service's base URL. */
const SHARED_PATH = '/v1/reports/shared';

/** 32 bytes in base64url; the last of 43 characters encodes four bits. */
const TOKEN_PATTERN = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** @param random TOKEN_BYTES random bytes. */
export function writeToken(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

export function isWellFormedToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

/** The hash under which a token is stored and looked up. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** @param baseUrl BASE_URL. */
export function urlOfToken(baseUrl: string, token: string): string {
  return `${baseUrl}${SHARED_PATH}/${token}`;
}

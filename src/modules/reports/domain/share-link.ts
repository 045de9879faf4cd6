/** The token of a report's link, section 4.4: whoever has it sees the report, so that only its hash is kept. */
import { createHash } from 'node:crypto';

export const DAYS_OF_LINK = { least: 1, most: 90, usual: 7 } as const;

/** How many random bytes a token has: with 256 bits nobody guesses one, and a hash needs no secret of its own. */
export const TOKEN_BYTES = 32;

/** Where the report of a token is shown, below the service's base address. */
const SHARED_PATH = '/v1/reports/shared';

/** 32 bytes in base64url; the last of 43 letters holds four bits. */
const FORM = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** @param random TOKEN_BYTES random bytes. */
export function writeToken(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

export function isTokenForm(text: string): boolean {
  return FORM.test(text);
}

/** What is stored of a token, and what it is found by. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** @param baseUrl BASE_URL. */
export function addressOfToken(baseUrl: string, token: string): string {
  return `${baseUrl}${SHARED_PATH}/${token}`;
}

/** Leave to send a version of a template in spite of its findings (section 4.7: override): a token, of which its hash is kept. */
import { createHash } from 'node:crypto';
import { DAY } from '../../../../kernel/duration.js';

/** Milliseconds for which a token is good. */
export const OVERRIDE_LIFE = DAY;

/** How many random bytes a token has: with 256 bits nobody guesses one, and a hash needs no secret of its own. */
export const OVERRIDE_BYTES = 32;

/** Tokens of a workspace that are good at a time. */
export const MOST_OVERRIDES = 1_000;

/** Characters of the reason that is given for one. */
export const REASON_LENGTH = { min: 10, max: 500 } as const;

/** A version that may be sent whatever was found in it. */
export interface Override {
  readonly id: string;
  readonly tokenHash: string;
  readonly templateId: string;
  readonly templateSlug: string;
  readonly templateVersion: number;
  readonly reason: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** @param random OVERRIDE_BYTES random bytes. */
export function overrideToken(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

/** What is stored of a token, and what it is found by; of any text, since one that is no token is found nowhere. */
export function hashOfOverride(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

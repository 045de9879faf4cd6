/**
 * Overrides: permission to send a version of a template in spite of its findings (section 4.7: override). An override
 * is a token, of which only the hash is stored.
 */
import { createHash } from 'node:crypto';
import { DAY } from '../../../../kernel/duration.js';

/** Milliseconds for which a token is valid. */
export const OVERRIDE_TTL_MS = DAY;

/** Random bytes of a token: 256 bits cannot be guessed, so the hash needs no secret. */
export const OVERRIDE_BYTES = 32;

/** Maximum number of valid tokens of a workspace. */
export const MAX_OVERRIDES = 1_000;

/** Characters of the reason that the author gives. */
export const REASON_LENGTH = { min: 10, max: 500 } as const;

/** A version that may be sent in spite of its findings. */
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

/**
 * The hash under which a token is stored and found. Accepts any text, since the hash of an invalid token is not found.
 */
export function hashOfOverride(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

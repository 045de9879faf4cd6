/** An API key and its format, section 5: a fixed prefix, the environment, 32 hexadecimal characters. */
import type { KeyScope } from '../../../kernel/principal.js';
import type { Environment } from '../../../kernel/tenant-scope.js';

/** The stored data of a key. Only its holder has the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly environment: Environment;
  /** The last four characters. */
  readonly hint: string;
  readonly rateLimitPerMinute: number | null;
  readonly revokedAt: Date | null;
  /** When it expires because another key replaces it; null for a key without a successor. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** A key in a list. */
export interface ListedApiKey extends ApiKey {
  /** Accurate to a few minutes; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

/** Hours for which a replaced key remains valid. */
export const OVERLAP_HOURS = { min: 0, max: 168, default: 24 } as const;

/** Whether a key is valid at that moment. */
export function isUsable(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

const KEY_FORMAT = /^psk_(?:live|test)_[0-9a-f]{32}$/;

/** Number of random bytes in a key. */
export const KEY_BYTES = 16;

/** Whether a text has the format of a key. */
export function hasKeyFormat(text: string): boolean {
  return KEY_FORMAT.test(text);
}

/** Formats a key. @param random KEY_BYTES random bytes. */
export function formatKey(environment: Environment, random: Uint8Array): string {
  return `psk_${environment}_${Buffer.from(random).toString('hex')}`;
}

/** The characters that identify a key to people. */
export function hintOf(key: string): string {
  return key.slice(-4);
}

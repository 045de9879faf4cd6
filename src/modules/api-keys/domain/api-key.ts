/** An API key and its written form, section 5: a fixed prefix, the environment, 32 hexadecimal characters. */
import type { KeyScope } from '../../../kernel/principal.js';
import type { Environment } from '../../../kernel/tenant-scope.js';

/** What is known of a key; the key itself is known to its holder alone. */
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
  /** When it ends, since another key takes its place; null for one that has no successor. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

/** A key as it is listed. */
export interface ListedApiKey extends ApiKey {
  /** To some minutes; null where it never was. */
  readonly lastUsedAt: Date | null;
}

/** Hours for which a key that is replaced goes on, beside its successor. */
export const OVERLAP_HOURS = { least: 0, most: 168, usual: 24 } as const;

/** Whether a key opens anything at that moment. */
export function isUsable(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

const FORM = /^psk_(?:live|test)_[0-9a-f]{32}$/;

/** How many random bytes a key has. */
export const KEY_BYTES = 16;

/** Whether a text has the form of a key. */
export function isKeyForm(text: string): boolean {
  return FORM.test(text);
}

/** The written form of a key. @param random KEY_BYTES random bytes. */
export function writeKey(environment: Environment, random: Uint8Array): string {
  return `psk_${environment}_${Buffer.from(random).toString('hex')}`;
}

/** The characters by which people tell keys apart on a screen. */
export function hintOf(key: string): string {
  return key.slice(-4);
}

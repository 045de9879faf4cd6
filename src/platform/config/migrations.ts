/**
 * Configuration of migrations: base URLs of the platforms, for tests or a proxy, and the storage limit of their files.
 */
import { MIGRATION_PLATFORMS, type MigrationPlatform } from '../../kernel/migration-platforms.js';
import { ConfigError } from './config-error.js';

/** Origins: scheme, host and port. */
export type MigrationBaseUrls = Readonly<Partial<Record<MigrationPlatform, string>>>;

const EXAMPLE = 'such as {"klaviyo":"http://127.0.0.1:4010"}';

/** Parses a JSON object that maps platforms to URLs. @throws ConfigError naming MIGRATION_BASE_URLS. */
export function migrationBaseUrlsOf(text: string | undefined): MigrationBaseUrls {
  if (text === undefined) return {};
  return Object.fromEntries(
    entriesOf(text).map(([name, url]) => {
      const platform = MIGRATION_PLATFORMS.find((each) => each === name);
      if (!platform)
        throw new ConfigError(
          `MIGRATION_BASE_URLS contains "${name}": supported platforms are ${MIGRATION_PLATFORMS.join(', ')}.`,
        );
      return [platform, originOf(platform, url)];
    }),
  );
}

const GIGABYTE = 1_073_741_824;
const MAX_GIGABYTES = 1_000_000;

/** Converts gigabytes to bytes. @throws ConfigError naming MIGRATION_STORAGE_GB. */
export function migrationStorageOf(text: string): number {
  const gigabytes = Number(text);
  if (!Number.isInteger(gigabytes) || gigabytes < 1 || gigabytes > MAX_GIGABYTES)
    throw new ConfigError(
      `MIGRATION_STORAGE_GB must be an integer from 1 to ${MAX_GIGABYTES}, not "${text}".`,
    );
  return gigabytes * GIGABYTE;
}

function entriesOf(text: string): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigError(`MIGRATION_BASE_URLS is not a JSON object: map platforms to URLs, ${EXAMPLE}.`);
  return Object.entries(value);
}

function originOf(platform: string, text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  // The parsed URL does not show an empty query or fragment, so check the text.
  if (!isOrigin || /[?#@\\]/.test(String(text)))
    throw new ConfigError(
      `MIGRATION_BASE_URLS has no valid URL for ${platform}: use scheme, host and port, ${EXAMPLE}.`,
    );
  return url.origin;
}

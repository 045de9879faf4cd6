/** Completes the configuration with what was left to us: secrets, and where database and mail are. */
import { ConfigError, type AppConfig, type RuntimeConfig } from '../platform/config/config.js';
import { DataDirectory } from '../platform/embedded/data-directory.js';
import { startEmbeddedPostgres } from '../platform/embedded/postgres-keeper.js';
import { findRunningPostgres } from '../platform/embedded/running-postgres.js';
import type { Boot } from './run-main.js';

/** How long a start waits for the end of an earlier one that is still shutting down, in milliseconds. */
export const EARLIER_START = 15_000;

/** Where the parts of the service that may be embedded are. */
export interface Surroundings {
  readonly databaseUrl: string;
  readonly smtpUrl: string | undefined;
  readonly sandboxSmtpUrl: string | undefined;
}

export function completeConfig(config: AppConfig, surroundings: Surroundings): RuntimeConfig {
  const given = (
    list: readonly string[],
    generate: (directory: DataDirectory) => string,
  ): readonly string[] => (list.length > 0 ? list : [generate(DataDirectory.open(config.dataDir))]);
  return {
    ...config,
    ...surroundings,
    tokenSecrets: given(config.tokenSecrets, (directory) => directory.secrets().tokenSecret),
    // Processes that were given one secret in common must not each make up another one.
    apiKeySecrets: given(
      [config.apiKeySecrets, config.tokenSecrets].find((list) => list.length > 0) ?? [],
      (directory) => directory.apiKeySecret(),
    ),
    encryptionKeys: given(config.encryptionKeys, (directory) => directory.secrets().encryptionKey),
  };
}

/**
 * The configuration of a process that starts nothing itself: the operator's database, or the embedded one that
 * another process runs on DATA_DIR.
 * @throws ConfigError when there is neither.
 */
export function attachedConfig(config: AppConfig): RuntimeConfig {
  const databaseUrl = config.databaseUrl ?? findRunningPostgres(config.dataDir);
  if (databaseUrl === undefined)
    throw new ConfigError(
      'DATABASE_URL is missing: give the address of a PostgreSQL server, or run `npm start`.',
    );
  return completeConfig(config, { databaseUrl, smtpUrl: config.smtpUrl, sandboxSmtpUrl: undefined });
}

/**
 * The configuration of a short task: as `attachedConfig`, but where no database runs the embedded one is started for
 * as long as the task takes.
 */
export async function borrowedConfig(boot: Pick<Boot, 'config' | 'atEnd'>): Promise<RuntimeConfig> {
  const { config, atEnd } = boot;
  if (config.databaseUrl === undefined && findRunningPostgres(config.dataDir) === undefined) {
    const lock = await DataDirectory.open(config.dataDir).claim('start', EARLIER_START);
    atEnd(() => lock.release());
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
    atEnd(() => postgres.stop());
  }
  return attachedConfig(config);
}

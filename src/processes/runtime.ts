/**
 * Completes the configuration with values that the operator left open: secrets, and the addresses of database and mail.
 */
import { ConfigError, type AppConfig, type RuntimeConfig } from '../platform/config/config.js';
import { isInUse } from '../platform/database/in-use.js';
import { DataDirectory } from '../platform/embedded/data-directory.js';
import { startEmbeddedPostgres } from '../platform/embedded/postgres-keeper.js';
import { findRunningPostgres } from '../platform/embedded/running-postgres.js';
import type { Boot } from './run-main.js';

/** How long a start waits for a previous process to shut down, in milliseconds. */
export const START_LOCK_WAIT_MS = 15_000;

/** The addresses of the services that may be embedded. */
export interface RuntimeSettings {
  readonly databaseUrl: string;
  readonly smtpUrl: string | undefined;
  readonly sandboxSmtpUrl: string | undefined;
  /** See RuntimeConfig. Empty before the migration. */
  readonly roleSuffix?: string;
  /** See RuntimeConfig. Empty before the migration. */
  readonly redisPrefix?: string;
  /** See RuntimeConfig. False by default. */
  readonly isSingleProcess?: boolean;
}

export function completeConfig(config: AppConfig, settings: RuntimeSettings): RuntimeConfig {
  const given = (
    list: readonly string[],
    generate: (directory: DataDirectory) => string,
  ): readonly string[] => (list.length > 0 ? list : [generate(DataDirectory.open(config.dataDir))]);
  return {
    ...config,
    isSingleProcess: false,
    roleSuffix: '',
    redisPrefix: '',
    ...settings,
    tokenSecrets: given(config.tokenSecrets, (directory) => directory.secrets().tokenSecret),
    // Processes that share one configured secret must not each generate another one.
    apiKeySecrets: given(
      [config.apiKeySecrets, config.tokenSecrets].find((list) => list.length > 0) ?? [],
      (directory) => directory.apiKeySecret(),
    ),
    encryptionKeys: given(config.encryptionKeys, (directory) => directory.secrets().encryptionKey),
  };
}

/**
 * The variables for which `completeConfig` would generate secrets, because neither they nor the data directory provide
 * them.
 */
function missingSecrets({ dataDir, tokenSecrets, apiKeySecrets, encryptionKeys }: AppConfig): string[] {
  const { has } = DataDirectory.open(dataDir);
  return [
    ...(apiKeySecrets.length > 0 || tokenSecrets.length > 0 || has.apiKeySecret ? [] : ['API_KEY_SECRET']),
    ...(tokenSecrets.length > 0 || has.secrets ? [] : ['TOKEN_SECRET']),
    ...(encryptionKeys.length > 0 || has.secrets ? [] : ['ENCRYPTION_KEY']),
  ];
}

/**
 * The configuration of a process that starts no services: the operator's database, or the embedded one that another
 * process runs on DATA_DIR.
 * @throws ConfigError if there is neither.
 */
export function attachedConfig(config: AppConfig): RuntimeConfig {
  const databaseUrl = config.databaseUrl ?? findRunningPostgres(config.dataDir);
  if (databaseUrl === undefined)
    throw new ConfigError(
      'DATABASE_URL is missing: set it to the address of a PostgreSQL server, or run `npm start`.',
    );
  return completeConfig(config, { databaseUrl, smtpUrl: config.smtpUrl, sandboxSmtpUrl: undefined });
}

/**
 * The configuration of a short task. As `attachedConfig`, but starts the embedded database for the task's duration if
 * no database runs.
 */
export async function borrowedConfig(boot: Pick<Boot, 'config' | 'atEnd'>): Promise<RuntimeConfig> {
  await databaseUrlOrStart(boot);
  return attachedConfig(boot.config);
}

async function databaseUrlOrStart({ config, atEnd }: Pick<Boot, 'config' | 'atEnd'>): Promise<string> {
  const running = config.databaseUrl ?? findRunningPostgres(config.dataDir);
  if (running !== undefined) return running;
  const lock = await DataDirectory.open(config.dataDir).claim('start', START_LOCK_WAIT_MS);
  atEnd(() => lock.release());
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
  atEnd(() => postgres.stop());
  return postgres.url;
}

/**
 * The configuration of the command line. As `borrowedConfig`, but generates no secret for a database that is in use,
 * because the server would reject keys made with another secret forever.
 * @throws ConfigError naming the missing secrets.
 */
export async function operatorConfig(boot: Pick<Boot, 'config' | 'atEnd'>): Promise<RuntimeConfig> {
  const databaseUrl = await databaseUrlOrStart(boot);
  const missing = missingSecrets(boot.config);
  if (missing.length > 0 && (await isInUse(databaseUrl)))
    throw new ConfigError(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: the database is in use, and ` +
        'commands need the server’s secrets: set the same variables, or the same DATA_DIR (now ' +
        `"${boot.config.dataDir}").`,
    );
  return attachedConfig(boot.config);
}

/** Migrates an installation's database to the current schema, with the configuration that its migrations need. */
import { OPT_OUT_KEY_PURPOSE } from '../modules/contacts/application/opt-out-digests.js';
import type { RuntimeConfig } from '../platform/config/config.js';
import { deriveKey } from '../platform/crypto/derived-key.js';
import { roleSuffixOf } from '../platform/database/ensure-roles.js';
import { installationPrefix } from '../platform/database/installation-prefix.js';
import { migrate } from '../platform/database/migrate.js';
import { SCHEMA } from './schema.js';

/** The result of migrating to the current schema. */
export interface CurrentSchema {
  /** The configuration, completed with values that only the database has. */
  readonly runtime: RuntimeConfig;
  /** The names of the migrations that this run applied. */
  readonly applied: readonly string[];
}

export async function migrateToCurrentSchema(config: RuntimeConfig): Promise<CurrentSchema> {
  const { databaseUrl, encryptionKeys } = config;
  const [encryptionKey = ''] = encryptionKeys;
  const applied = await migrate(databaseUrl, SCHEMA, {
    'waypost.refusal_key': deriveKey(encryptionKey, OPT_OUT_KEY_PURPOSE).toString('hex'),
  });
  const { queue } = config;
  return {
    runtime: {
      ...config,
      roleSuffix: await roleSuffixOf(databaseUrl),
      redisPrefix: queue.kind === 'redis' ? (queue.prefix ?? (await installationPrefix(databaseUrl))) : '',
    },
    applied,
  };
}

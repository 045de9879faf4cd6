/** Brings the database of an installation to the present schema, with what its migrations need of the configuration. */
import { REFUSALS_PURPOSE } from '../modules/contacts/application/refusal-digests.js';
import type { RuntimeConfig } from '../platform/config/config.js';
import { deriveKey } from '../platform/crypto/derived-key.js';
import { roleSuffixOf } from '../platform/database/ensure-roles.js';
import { installationPrefix } from '../platform/database/installation-prefix.js';
import { migrate } from '../platform/database/migrate.js';
import { SCHEMA } from './schema.js';

/** A database that is at the present schema. */
export interface PresentSchema {
  /** The configuration with what only the database tells. */
  readonly runtime: RuntimeConfig;
  /** The names of the migrations that were applied now. */
  readonly applied: readonly string[];
}

export async function bringToPresentSchema(config: RuntimeConfig): Promise<PresentSchema> {
  const { databaseUrl, encryptionKeys } = config;
  const [encryptionKey = ''] = encryptionKeys;
  const applied = await migrate(databaseUrl, SCHEMA, {
    'waypost.refusal_key': deriveKey(encryptionKey, REFUSALS_PURPOSE).toString('hex'),
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

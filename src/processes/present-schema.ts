/** Brings the database of an installation to the present schema, with what its migrations need of the configuration. */
import { REFUSALS_PURPOSE } from '../modules/contacts/application/refusal-digests.js';
import type { RuntimeConfig } from '../platform/config/config.js';
import { deriveKey } from '../platform/crypto/derived-key.js';
import { migrate } from '../platform/database/migrate.js';
import { SCHEMA } from './schema.js';

/** @returns the names of the migrations that were applied now. */
export async function bringToPresentSchema({
  databaseUrl,
  encryptionKeys,
}: RuntimeConfig): Promise<string[]> {
  const [encryptionKey = ''] = encryptionKeys;
  return migrate(databaseUrl, SCHEMA, {
    'waypost.refusal_key': deriveKey(encryptionKey, REFUSALS_PURPOSE).toString('hex'),
  });
}

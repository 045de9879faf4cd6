/** Finds the embedded PostgreSQL that another process runs on a data directory, for the command line. */
import { existsSync } from 'node:fs';
import { ConfigError } from '../config/config.js';
import { DataDirectory } from './data-directory.js';
import { readPostmasterFile } from './postmaster-file.js';
import { isPostgresOn } from './process-identity.js';

/** The product's database within the embedded server. */
export const DATABASE = 'waypost';

/** Superuser URL of a database of the embedded server. */
export function superuserUrl(port: number, password: string, database: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Superuser URL of the database `waypost` of the embedded server on the directory.
 * @returns undefined if none runs there, or it does not accept connections yet.
 * @throws ConfigError naming DATA_DIR if this user may not read it.
 */
export function findRunningPostgres(dataDir: string): string | undefined {
  if (!existsSync(dataDir)) return undefined;
  const directory = DataDirectory.open(dataDir);
  const postmaster = postmasterOf(directory);
  if (!postmaster?.ready || !isPostgresOn(postmaster.pid, directory.postgresFolder)) return undefined;
  return superuserUrl(postmaster.port, directory.secrets().databasePassword, DATABASE);
}

function postmasterOf(directory: DataDirectory): ReturnType<typeof readPostmasterFile> {
  try {
    return readPostmasterFile(directory.postgresFolder);
  } catch {
    throw new ConfigError(
      `DATA_DIR "${directory.path}": its database belongs to another user: run this command as that user.`,
    );
  }
}

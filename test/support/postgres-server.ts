/**
 * Starts a PostgreSQL server for one test, in a version that operators may run: the bundled or the oldest supported
 * one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { launchPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { chooseAccount } from '../../src/platform/embedded/postgres-account.js';
import { freePort } from './service-process.js';
import { until } from './until.js';

/** The folder of PostgreSQL 15's programs; undefined if the test command found none, which skips their tests. */
const OLDEST = process.env['TEST_POSTGRES_15'];

/** The versions that this machine has. */
export const POSTGRES_VERSIONS: readonly PostgresVersion[] = OLDEST ? ['18', '15'] : ['18'];
export type PostgresVersion = '18' | '15';

export interface PostgresServer {
  /** The superuser's URL of the database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

const PASSWORD = 'superuser';

/** Starts an empty server. */
export async function startPostgres(version: PostgresVersion): Promise<PostgresServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `waypost-postgres-${version}-`)));
  // PostgreSQL's own user needs access to its folder.
  chmodSync(folder, 0o755);
  const server = version === '18' ? await startBundled(folder) : await startOldest(folder);
  return {
    url: databaseOf(server.url, 'postgres'),
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The URL of another database, for the same account or another one. */
export function databaseOf(
  url: string,
  database: string,
  account?: { name: string; password: string },
): string {
  const address = Object.assign(new URL(url), { pathname: `/${database}` });
  if (account) Object.assign(address, { username: account.name, password: account.password });
  return address.toString();
}

/** Runs work on a separate connection. */
export async function connected<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function startBundled(folder: string): Promise<PostgresServer> {
  return launchPostgres({
    dataDir: join(folder, 'data'),
    settings: { fsync: 'off', shared_buffers: '16MB' },
  });
}

async function startOldest(folder: string): Promise<PostgresServer> {
  const account = chooseAccount([]);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, PASSWORD);
  if (account) for (const path of [data, passwordFile]) chownSync(path, account.uid, account.gid);
  const options = { ...account, cwd: '/', stdio: 'ignore' } as const;
  const made = spawnSync(
    join(OLDEST ?? '', 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--no-sync',
    ],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb of PostgreSQL 15 ended with ${made.status}.`);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    fsync: 'off',
    shared_buffers: '16MB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(OLDEST ?? '', 'postgres'), ['-D', data, ...flags], options);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await until('PostgreSQL 15 answers', () => connected(url, () => Promise.resolve(true)).catch(() => false));
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      await gone;
    },
  };
}

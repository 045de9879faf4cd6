/**
 * Runs a real PostgreSQL on the data directory as a child process. The service starts it through a supervisor
 * (postgres-keeper.ts), so that no process remains if the service is killed. Tests start it directly.
 */
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DataDirectory } from './data-directory.js';
import { readPostmasterFile } from './postmaster-file.js';
import type { SpawnProgram } from './postgres-account.js';
import { locatePostgres, type PostgresBinaries } from './postgres-binaries.js';
import { prepareCluster } from './postgres-cluster.js';
import { PostgresProcess } from './postgres-process.js';
import { superuserUrl, DATABASE } from './running-postgres.js';

export interface LaunchOptions {
  readonly dataDir: string;
  /**
   * Server settings that extend or override the defaults, such as `{ fsync: 'off' }` for tests. With `port` the server
   * uses only that port.
   */
  readonly settings?: Readonly<Record<string, string>>;
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal;
}

export interface LaunchedPostgres {
  /** Superuser URL of the database `waypost`. */
  readonly url: string;
  readonly pid: number;
  /**
   * Resolves with the reason when the server has ended, requested or not. A shutdown requested by any process is a fast
   * one.
   */
  readonly exited: Promise<string>;
  /** Fast shutdown within 10 seconds. A second call waits for the first. */
  stop(): Promise<void>;
}

/** Durable, and sized for a small machine that the application server shares with its database. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Logs must contain neither statements nor row values, because both contain personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

const PORT_ATTEMPTS = 5;
/** The supervisor of an earlier start ends within 10 seconds of its parent. */
const LOCK_WAIT_MS = 15_000;

/**
 * How often the server's status file is read. If another process requests a smart shutdown (SIGTERM), the server waits
 * for its clients to disconnect, which the service's connections never do, and accepts no new ones meanwhile.
 */
const CHECK_INTERVAL_MS = 250;

/**
 * Creates the data folder if needed, cleans up after an earlier run, starts the server on a free port of 127.0.0.1 and
 * creates the database `waypost`.
 * @throws ConfigError in one line if the data directory or the programs are unusable; Error with the end of the
 *   server's log if it does not start.
 */
export async function launchPostgres(options: LaunchOptions): Promise<LaunchedPostgres> {
  const signal = options.signal ?? new AbortController().signal;
  const directory = DataDirectory.open(options.dataDir);
  const lock = await directory.claim('postgres', LOCK_WAIT_MS);
  try {
    signal.throwIfAborted();
    const binaries = locatePostgres();
    const { databasePassword } = directory.secrets();
    const settings = { ...SETTINGS, ...options.settings };
    const launch = await prepareCluster(directory, binaries, signal, settings.fsync !== 'off');
    const { server, port } = await startServer(directory, binaries, launch, settings, signal);
    const url = superuserUrl(port, databasePassword, DATABASE);
    try {
      await createDatabase(superuserUrl(port, databasePassword, 'postgres'));
      signal.throwIfAborted();
    } catch (error) {
      await server.stop();
      throw error;
    }
    const watch = setInterval(() => {
      const postmaster = readPostmasterFile(directory.postgresFolder);
      if (postmaster?.stopping && postmaster.pid === server.pid) void server.stop();
    }, CHECK_INTERVAL_MS);
    void server.exited.then(() => {
      clearInterval(watch);
      lock.release();
    });
    return { url, pid: server.pid, exited: server.exited, stop: () => server.stop() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startServer(
  directory: DataDirectory,
  binaries: PostgresBinaries,
  launch: SpawnProgram,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ server: PostgresProcess; port: number }> {
  const log = join(directory.path, 'postgres.log');
  if (existsSync(log)) renameSync(log, `${log}.1`);
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const port = settings['port'] === undefined ? await freePort() : Number(settings['port']);
    const flags = Object.entries({ ...settings, port: String(port) });
    const output = openSync(log, 'w', 0o600);
    const child = launch(
      binaries.postgres,
      ['-D', directory.postgresFolder, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      ['ignore', output, output],
    );
    closeSync(output);
    const server = new PostgresProcess(child);
    if (await waitUntilReady(server, directory.postgresFolder, signal)) return { server, port };
    await server.stop();
    signal.throwIfAborted();
    const logText = readFileSync(log, 'utf8').trim();
    if (attempt < PORT_ATTEMPTS && logText.includes('could not bind')) continue;
    throw new Error(
      `PostgreSQL did not start (${await server.exited}): ${logText.split('\n').slice(-5).join(' | ')}`,
    );
  }
}

/** Waits without a limit until the server is ready or ends, because crash recovery may take long. */
async function waitUntilReady(
  server: PostgresProcess,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  while (server.running && !signal.aborted) {
    const postmaster = readPostmasterFile(folder);
    if (postmaster?.ready && postmaster.pid === server.pid) return true;
    await sleep(20);
  }
  return false;
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1.');
  return address.port;
}

/**
 * Manages the PostgreSQL data folder: creates it atomically, and cleans up after an earlier run, whether a live server
 * whose parent was killed or the pid file of a dead one.
 */
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/config.js';
import {
  chooseAccount,
  findSpawnMethod,
  handOver,
  isForeign,
  type SpawnProgram,
} from './postgres-account.js';
import type { DataDirectory } from './data-directory.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { postgresProcessesOn } from './process-identity.js';
import { readPostmasterFile } from './postmaster-file.js';

/** Superuser of the embedded server. */
export const SUPERUSER = 'postgres';

/** The signals for leftover processes, and after how many milliseconds each next stronger one is sent. */
const STOP_SIGNALS = [
  ['SIGINT', 9_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 3_000],
] as const;

/**
 * Prepares the data folder so that a server can start on it.
 * @param signal aborts the creation of a new folder.
 * @param durable whether a new folder must survive a power failure; tests need not wait for the disk.
 * @returns how to start the server.
 * @throws ConfigError in one line if the folder or programs are unusable.
 */
export async function prepareCluster(
  directory: DataDirectory,
  binaries: PostgresBinaries,
  signal: AbortSignal,
  durable: boolean,
): Promise<SpawnProgram> {
  const folder = directory.postgresFolder;
  const account = chooseAccount([folder, directory.path]);
  if (existsSync(folder)) {
    if (isForeign(folder, account)) {
      if (account === undefined)
        throw new ConfigError(
          `DATA_DIR "${directory.path}": its database belongs to another user: start as that user, or use another ` +
            'folder.',
        );
      handOver(folder, account);
    }
    await clearLeftovers(folder);
    return findSpawnMethod(binaries, folder, account);
  }
  const draft = `${folder}.new`;
  const passwordFile = join(draft, 'password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  handOver(draft, account);
  const launch = await findSpawnMethod(binaries, draft, account);
  try {
    writeFileSync(passwordFile, directory.secrets().databasePassword, { mode: 0o600 });
    if (account) chownSync(passwordFile, account.uid, account.gid);
    await initialise(launch, binaries, join(draft, 'data'), passwordFile, signal, durable);
    renameSync(join(draft, 'data'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return launch;
}

async function initialise(
  launch: SpawnProgram,
  binaries: PostgresBinaries,
  folder: string,
  passwordFile: string,
  signal: AbortSignal,
  durable: boolean,
): Promise<void> {
  const child = launch(
    binaries.initdb,
    [
      `--pgdata=${folder}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durable ? [] : ['--no-sync']),
    ],
    ['ignore', 'ignore', 'pipe'],
  );
  const end = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    const failure = await failureOf(child);
    signal.throwIfAborted();
    if (failure !== undefined) throw new Error(`PostgreSQL cannot create its data folder: ${failure}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/**
 * Stops a server that outlived its parent, and deletes the pid file of one that is gone.
 * @throws Error if one cannot be stopped.
 */
export async function clearLeftovers(folder: string): Promise<void> {
  const recordedPid = readPostmasterFile(folder)?.pid;
  for (const [signal, waitMs] of STOP_SIGNALS) {
    const left = postgresProcessesOn(folder, recordedPid);
    // Children end with their server. A child without a server ends by itself and is only killed as a last resort.
    for (const pid of signal === 'SIGKILL' ? left : left.filter((pid) => pid === recordedPid))
      sendSignal(pid, signal);
    const deadline = performance.now() + waitMs;
    while (postgresProcessesOn(folder, recordedPid).length > 0 && performance.now() < deadline)
      await sleep(50);
    if (postgresProcessesOn(folder, recordedPid).length === 0) {
      rmSync(join(folder, 'postmaster.pid'), { force: true });
      return;
    }
  }
  throw new Error(
    `PostgreSQL from an earlier start does not exit: process ${recordedPid ?? 'unknown'} on ${folder}.`,
  );
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Undefined if the program succeeded, otherwise its last output. */
function failureOf(child: ChildProcess): Promise<string | undefined> {
  let errorOutput = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-4096)));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : errorOutput.trim() || `it exited with ${code ?? signal}`),
    );
  });
}

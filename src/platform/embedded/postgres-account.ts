/**
 * Chooses the user that PostgreSQL runs as. It refuses to run as root, so a start as root runs its programs and its
 * data folder as another user, even if that user could not reach them by itself (a checkout under /root).
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config.js';
import type { PostgresBinaries } from './postgres-binaries.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a program as PostgreSQL's user, detached from the terminal (Ctrl-C does not reach it). */
export type SpawnProgram = (program: string, args: readonly string[], stdio: StdioOptions) => ChildProcess;

/**
 * The user to run PostgreSQL as; undefined means this process's own user.
 * @param folders checked in order: the owner of the first that root does not own.
 */
export function chooseAccount(folders: readonly string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const folder of folders) {
    const owner = statSync(folder, { throwIfNoEntry: false });
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (Number(uid) > 0 && Number(gid) >= 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/** Changes the owner of a folder and its contents to the account. */
export function handOver(folder: string, account: Account | undefined): void {
  if (account === undefined) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), account.uid, account.gid);
  lchownSync(folder, account.uid, account.gid);
}

/** Whether another user than the account owns the folder, as after a copy made by root. */
export function isForeign(folder: string, account: Account | undefined): boolean {
  const owner = lstatSync(folder).uid;
  return process.getuid !== undefined && owner !== (account?.uid ?? process.getuid());
}

/**
 * Finds the least privileged way of starting programs that works on this system, by trial.
 * @param folder an existing folder that belongs to the account.
 * @throws ConfigError naming DATA_DIR if PostgreSQL's user cannot access the programs or the folder in any way, or
 *   DATABASE_URL if the programs do not run on this system at all.
 */
export async function findSpawnMethod(
  binaries: PostgresBinaries,
  folder: string,
  account: Account | undefined,
): Promise<SpawnProgram> {
  let failure = '';
  for (const method of spawnMethodsFor(account)) {
    const launch: SpawnProgram = (program, args, stdio) => {
      const [command = program, ...rest] = [...method.prefix, program, ...args];
      return spawn(command, rest, {
        ...(method.asAccount ? account : {}),
        stdio,
        cwd: '/',
        detached: true,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      });
    };
    const answer = await probe(launch, binaries, folder);
    if (answer === undefined) return launch;
    failure = answer;
  }
  if (account === undefined)
    throw new ConfigError(
      `DATABASE_URL is missing, and the bundled PostgreSQL does not run here (${failure}): set it to the ` +
        'address of a PostgreSQL 15 or newer.',
    );
  throw new ConfigError(
    `DATA_DIR "${folder}": PostgreSQL cannot run as root, and user ${account.uid} cannot access this folder ` +
      `or ${binaries.postgres} (${failure}): point DATA_DIR, and move the checkout, to folders accessible to ` +
      'all users.',
  );
}

interface SpawnMethod {
  readonly prefix: readonly string[];
  /** Whether Node itself changes the user, because the prefix does not. */
  readonly asAccount: boolean;
}

/**
 * The ways to start programs, from least to most privileged. `--pdeathsig` ends PostgreSQL even if its supervisor is
 * killed.
 */
function spawnMethodsFor(account: Account | undefined): SpawnMethod[] {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv', '/run/current-system/sw/bin/setpriv'].find(existsSync);
  const plain: SpawnMethod = { prefix: [], asAccount: account !== undefined };
  if (setpriv === undefined || process.platform !== 'linux') return [plain];
  const parentDeathSignal = '--pdeathsig=INT';
  if (account === undefined) return [{ prefix: [setpriv, parentDeathSignal, '--'], asAccount: false }, plain];
  const asUser = [setpriv, `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  // PostgreSQL calls access(2), which respects a capability of an unprivileged user only with this securebit.
  const accessCapability = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  return [
    { prefix: [...asUser, parentDeathSignal, '--'], asAccount: false },
    plain,
    { prefix: [...asUser, ...accessCapability, parentDeathSignal, '--'], asAccount: false },
    { prefix: [...asUser, ...accessCapability, '--'], asAccount: false },
  ];
}

/** Undefined if both programs run and the folder can be entered and written, otherwise the reason. */
async function probe(
  launch: SpawnProgram,
  binaries: PostgresBinaries,
  folder: string,
): Promise<string | undefined> {
  // initdb finds its server with access(2) and its templates in a relative folder; --show does all of that and writes
  // nothing.
  const script = '"$1" --version && "$2" --show -D "$3" && cd "$3" && : > .proof && rm .proof';
  const child = launch(
    '/bin/sh',
    ['-c', script, 'sh', binaries.postgres, binaries.initdb, folder],
    ['ignore', 'ignore', 'pipe'],
  );
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      // `initdb --show` prints its results to standard error, so the last line is the error.
      const reason = errorOutput.trim().split('\n').at(-1)?.trim();
      resolve(code === 0 ? undefined : (reason ?? '') || `it exited with ${code ?? signal}`);
    });
  });
}

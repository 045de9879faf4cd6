/**
 * Distinguishes a living process from a later one with the same pid, so that a lock or pid file left after `kill -9`
 * never blocks a start and no unrelated process is ever signalled.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const linux = process.platform === 'linux';

/**
 * A text that is constant for the life of a process and different for any later one with its pid.
 * @returns undefined if no such process runs (a zombie does not run).
 */
export function processIdentity(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (!linux) return outputOfPs(pid, 'lstart=');
  const stat = readOrUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields?.[0], fields?.[19]];
  if (state === undefined || startedAt === undefined || state === 'Z' || state === 'X') return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startedAt}`;
}

/** Whether `pid` is a live PostgreSQL process (server or one of its children) on the given data folder. */
export function isPostgresOn(pid: number, folder: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (!linux) {
    const command = outputOfPs(pid, 'command=') ?? '';
    return command.includes('postgres') && command.includes(folder);
  }
  const program = readOrUndefined(() => readlinkSync(`/proc/${pid}/exe`));
  if (program !== undefined)
    return (
      basename(program).startsWith('postgres') &&
      readOrUndefined(() => readlinkSync(`/proc/${pid}/cwd`)) === folder
    );
  // The links of another user's process are hidden, but its command line is not.
  const words = readOrUndefined(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.split('\0') ?? [];
  return basename(words[0] ?? '') === 'postgres' && words.includes(folder);
}

/**
 * All live PostgreSQL processes on the data folder. On systems other than Linux only the server `pid`, because its
 * children cannot be matched to a folder there.
 */
export function postgresProcessesOn(folder: string, pid: number | undefined): number[] {
  const candidates = linux
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : pid === undefined
      ? []
      : [pid];
  return candidates.filter((candidate) => isPostgresOn(candidate, folder));
}

function outputOfPs(pid: number, column: string): string | undefined {
  const output = readOrUndefined(() =>
    execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  return output?.trim() === '' ? undefined : output?.trim();
}

/** Returns undefined if the process has ended meanwhile or belongs to another user. */
function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

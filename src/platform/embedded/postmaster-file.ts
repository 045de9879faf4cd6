/**
 * Reads `postmaster.pid`, PostgreSQL's own note of its process, port and state: the way one process finds the
 * server that another has started.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Whether it takes connections. */
  readonly ready: boolean;
  /** Whether it is shutting down, however it was told to. */
  readonly stopping: boolean;
}

/** @returns undefined when there is none, or one that is not written to its end. */
export function readPostmasterFile(folder: string): PostmasterFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'postmaster.pid'), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const state = lines[7]?.trim();
  return { pid, port: Number(lines[3] ?? 0), ready: state === 'ready', stopping: state === 'stopping' };
}

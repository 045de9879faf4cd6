/**
 * Reads `postmaster.pid`, where PostgreSQL records its process, port and state. A process uses it to find a server that
 * another process has started.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Whether it accepts connections. */
  readonly ready: boolean;
  /** Whether it is shutting down, for whatever reason. */
  readonly stopping: boolean;
}

/** @returns undefined if there is no file, or an incomplete one. */
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

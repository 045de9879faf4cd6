/**
 * A lock file that names the process that holds it, so that a lock whose holder is gone (`kill -9`, power failure) is
 * taken over immediately and never blocks a start.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from './process-identity.js';

export interface ProcessLock {
  /** Releases the lock; a second call does nothing. */
  release(): void;
}

/** A living process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  constructor(readonly holderPid: number) {
    super(`held by process ${holderPid}`);
  }
}

/**
 * Takes the lock; waits up to `waitMs` milliseconds for a living holder.
 * @throws LockHeldError if it is still held then.
 */
export async function takeProcessLock(path: string, waitMs = 0): Promise<ProcessLock> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(path);
    if (typeof lock !== 'number') return lock;
    if (performance.now() >= deadline) throw new LockHeldError(lock);
    await sleep(50);
  }
}

/** The lock, or the pid of the living process that holds it. */
function tryLock(path: string): ProcessLock | number {
  const content = JSON.stringify({ pid: process.pid, mark: processIdentity(process.pid), id: randomUUID() });
  for (;;) {
    if (createWhole(path, content)) return { release: () => releaseIfOurs(path, content) };
    const held = readIfThere(path);
    if (held === undefined) continue;
    const holder = livingHolder(held);
    if (holder !== undefined) return holder;
    removeIfStill(path, held);
  }
}

/** Creates the file with its content atomically; false if it already exists. */
function createWhole(path: string, content: string): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves the file aside before deleting it, so that a lock taken by another process in the meantime is restored. */
function removeIfStill(path: string, content: string): void {
  const movedPath = `${path}.${randomUUID()}`;
  try {
    renameSync(path, movedPath);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readIfThere(movedPath);
  if (moved !== undefined && moved !== content) createWhole(path, moved);
  rmSync(movedPath, { force: true });
}

function releaseIfOurs(path: string, content: string): void {
  if (readIfThere(path) === content) rmSync(path, { force: true });
}

function livingHolder(content: string): number | undefined {
  try {
    const { pid, mark } = JSON.parse(content) as { pid?: unknown; mark?: unknown };
    return typeof pid === 'number' && processIdentity(pid) === mark && mark !== undefined ? pid : undefined;
  } catch {
    return undefined; // Not a lock file of ours, or truncated by a full disk: not held.
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

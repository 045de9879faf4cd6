/**
 * A lock file held by a process: it names its holder, so that a lock whose holder is gone (`kill -9`, power cut)
 * is taken over at once and never blocks a start.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { processMark } from './process-identity.js';

export interface ProcessLock {
  /** Gives the lock back; a second call does nothing. */
  release(): void;
}

/** The lock is held by a living process. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  constructor(readonly holderPid: number) {
    super(`held by process ${holderPid}`);
  }
}

/**
 * Takes the lock, waiting for a living holder up to `waitMs` milliseconds.
 * @throws LockHeldError when it is still held then.
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

/** The lock, or the number of the living process that holds it. */
function tryLock(path: string): ProcessLock | number {
  const content = JSON.stringify({ pid: process.pid, mark: processMark(process.pid), id: randomUUID() });
  for (;;) {
    if (createWhole(path, content)) return { release: () => releaseIfOurs(path, content) };
    const held = readIfThere(path);
    if (held === undefined) continue;
    const holder = livingHolder(held);
    if (holder !== undefined) return holder;
    removeIfStill(path, held);
  }
}

/** Creates the file with its whole content in one step; false when there is one already. */
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

/** Moves the file aside before it is deleted, so that a lock another process took meanwhile is put back. */
function removeIfStill(path: string, content: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readIfThere(aside);
  if (moved !== undefined && moved !== content) createWhole(path, moved);
  rmSync(aside, { force: true });
}

function releaseIfOurs(path: string, content: string): void {
  if (readIfThere(path) === content) rmSync(path, { force: true });
}

function livingHolder(content: string): number | undefined {
  try {
    const { pid, mark } = JSON.parse(content) as { pid?: unknown; mark?: unknown };
    return typeof pid === 'number' && processMark(pid) === mark && mark !== undefined ? pid : undefined;
  } catch {
    return undefined; // Not a lock of ours, or one that a full disk cut short: nobody holds it.
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

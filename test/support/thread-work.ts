/** Tasks for tests of worker threads: some complete, some never do. */
import { threadId } from 'node:worker_threads';
import { type RemoteTask, type ThreadTask, threadHandlerOf } from '../../src/kernel/thread-task.js';

/** Returns its input. */
export const ECHO: ThreadTask<string, string> = { name: 'echo', run: (text) => text };
/** Can run in the calling thread, unless `isCostly` is set. */
export const TRIED: ThreadTask<{ readonly isCostly: boolean; readonly text?: string }, string> = {
  name: 'tried',
  run: () => 'to its end',
  attempt: ({ isCostly }) => (isCostly ? undefined : 'at once'),
};
/** Returns the id of its thread; never runs in the calling thread. */
export const APART: ThreadTask<string, number> & RemoteTask<string, number> = {
  name: 'apart',
  apart: true,
  run: () => threadId,
};
/** Runs for this many milliseconds. */
export const SPIN: ThreadTask<number, number> = {
  name: 'spin',
  run: (milliseconds) => {
    const end = performance.now() + milliseconds;
    let rounds = 0;
    while (performance.now() < end) rounds++;
    return rounds;
  },
};
/** Never ends; sets a flag in shared memory when it has begun. */
export const ENDLESS: ThreadTask<Int32Array, never> = {
  name: 'endless',
  run: (begun) => {
    Atomics.store(begun, 0, 1);
    for (;;);
  },
};
/** Allocates more memory than the limit. */
export const GREEDY: ThreadTask<null, number> = {
  name: 'greedy',
  run: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(100_000).fill(kept.length));
  },
};
export const THROWING: ThreadTask<string, never> = {
  name: 'throwing',
  run: (message) => {
    throw new Error(message);
  },
};

export default threadHandlerOf([ECHO, TRIED, APART, SPIN, ENDLESS, GREEDY, THROWING]);

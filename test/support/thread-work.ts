/** What the threads of tests can do: come to an end, and not. */
import { threadId } from 'node:worker_threads';
import { type RemoteTask, type ThreadTask, workOf } from '../../src/kernel/thread-task.js';

/** Gives its input back. */
export const ECHO: ThreadTask<string, string> = { name: 'echo', run: (text) => text };
/** Can be done where it is asked for as long as it has no `dear`. */
export const TRIED: ThreadTask<{ readonly dear: boolean; readonly text?: string }, string> = {
  name: 'tried',
  run: () => 'to its end',
  attempt: ({ dear }) => (dear ? undefined : 'at once'),
};
/** Says which thread it is done on; never done where it is asked for. */
export const APART: ThreadTask<string, number> & RemoteTask<string, number> = {
  name: 'apart',
  apart: true,
  run: () => threadId,
};
/** Works for so many milliseconds of processor time. */
export const SPIN: ThreadTask<number, number> = {
  name: 'spin',
  run: (milliseconds) => {
    const end = performance.now() + milliseconds;
    let turns = 0;
    while (performance.now() < end) turns++;
    return turns;
  },
};
/** Never ends by itself; says in the shared memory that it has begun. */
export const ENDLESS: ThreadTask<Int32Array, never> = {
  name: 'endless',
  run: (begun) => {
    Atomics.store(begun, 0, 1);
    for (;;);
  },
};
/** Takes more memory than there is. */
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

export default workOf([ECHO, TRIED, APART, SPIN, ENDLESS, GREEDY, THROWING]);

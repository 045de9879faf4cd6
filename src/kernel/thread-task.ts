/**
 * Work that may be done on another thread: a pure function of values that can be cloned, under a name that is its
 * own among all. Whoever has such work need not know where it is done.
 */
import { packed, unpacked } from './thread-cargo.js';

export interface ThreadTask<Input, Output> {
  readonly name: string;
  readonly run: (input: Input) => Output;
  /**
   * Does the work where it is asked for, within a small budget; undefined where that is not enough. For work whose
   * cost does not show in its size.
   */
  readonly attempt?: (input: Input) => Output | undefined;
}

/** Work that always runs on a thread. Callers know its name; only the thread loads the code. */
export interface RemoteTask<Input, Output> {
  readonly name: string;
  readonly apart: true;
  readonly run?: (input: Input) => Output;
}

/** What a thread is told: which task, and its input, packed. */
export interface ThreadOrder {
  readonly task: string;
  readonly input: unknown;
}

/** The work of a thread that knows these tasks, and no others; its outcome is packed. */
export function workOf(tasks: readonly ThreadTask<never, unknown>[]): (order: ThreadOrder) => unknown {
  const runs = new Map(tasks.map(({ name, run }) => [name, run as (input: unknown) => unknown]));
  return ({ task, input }) => {
    const run = runs.get(task);
    if (!run) throw new TypeError(`No thread task is named ${task}.`);
    return packed(run(unpacked(input)));
  };
}

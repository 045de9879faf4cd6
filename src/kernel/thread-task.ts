/**
 * Work that may run on another thread: a pure function of cloneable values, with a unique name. Callers do not need to
 * know where it runs.
 */
import { toTransferable, fromTransferable } from './transferable.js';

export interface ThreadTask<Input, Output> {
  readonly name: string;
  readonly run: (input: Input) => Output;
  /**
   * Tries the work on the calling thread within a small budget; undefined if the budget is too small. For work whose
   * cost does not follow from its size.
   */
  readonly attempt?: (input: Input) => Output | undefined;
}

/** Work that always runs on a thread. Callers know only its name; only the thread loads the code. */
export interface RemoteTask<Input, Output> {
  readonly name: string;
  readonly apart: true;
  readonly run?: (input: Input) => Output;
}

/** A message to a thread: the task's name and its packed input. */
export interface ThreadRequest {
  readonly task: string;
  readonly input: unknown;
}

/** Makes the handler of a thread that runs exactly these tasks. Its result is packed. */
export function threadHandlerOf(
  tasks: readonly ThreadTask<never, unknown>[],
): (request: ThreadRequest) => unknown {
  const runs = new Map(tasks.map(({ name, run }) => [name, run as (input: unknown) => unknown]));
  return ({ task, input }) => {
    const run = runs.get(task);
    if (!run) throw new TypeError(`No thread task is named ${task}.`);
    return toTransferable(run(fromTransferable(input)));
  };
}

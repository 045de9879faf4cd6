/** Work that stops by itself after each piece: whatever else waits for the thread comes in between. */
import { setImmediate } from 'node:timers/promises';

/** Does the work to its end; what has one piece alone is done without waiting for anything. */
export async function inPieces<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}

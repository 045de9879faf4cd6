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

/** Milliseconds of the thread that nobody notices. */
const TURN = 10;

/** What is made of each item, in their order; from time to time whatever else waits for the thread comes in between. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  make: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > TURN) {
      await setImmediate();
      begun = performance.now();
    }
    results.push(make(item));
  }
  return results;
}

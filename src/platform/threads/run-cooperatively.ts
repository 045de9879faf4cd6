/** Cooperative multitasking: work that yields to the event loop after each piece. */
import { setImmediate } from 'node:timers/promises';

/** Completes the work. Work of a single piece does not yield. */
export async function runCooperatively<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}

/** Maximum milliseconds between yields, too short to be noticed. */
const TIME_SLICE_MS = 10;

/** Maps each item in order; yields to the event loop from time to time. */
export async function mapCooperatively<Item, Result>(
  items: Iterable<Item>,
  make: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt > TIME_SLICE_MS) {
      await setImmediate();
      startedAt = performance.now();
    }
    results.push(make(item));
  }
  return results;
}

/** The rate windows of a single process: exact, without a shared store. */
import { LRUCache } from 'lru-cache';
import type { Bound } from '../domain/bounds.js';
import { decisionOf, type RateDecision, type WindowReading, tighter } from '../domain/rate-decision.js';
import { SlidingWindow } from '../domain/sliding-window.js';
import { RateWindows } from './rate-windows.port.js';

/** Maximum number of windows in memory, of about 1 KB each; the least recently used are dropped. */
const MAX_WINDOWS = 20_000;

export class LocalWindows extends RateWindows {
  private readonly windows = new LRUCache<string, SlidingWindow>({ max: MAX_WINDOWS });

  /** @param time real time in milliseconds. */
  constructor(private readonly time: () => number = Date.now) {
    super();
  }

  consume(bounds: readonly Bound[]): RateDecision {
    return takeLocally(
      bounds,
      bounds.map(({ key, length }) => this.windowOf(key, length)),
      this.time(),
    );
  }

  private windowOf(key: string, length: number): SlidingWindow {
    let window = this.windows.get(key);
    if (!window) this.windows.set(key, (window = new SlidingWindow(length)));
    return window;
  }
}

/** Counts a request in the windows of this process. @param windows those of the bounds, in the same order. */
export function takeLocally(
  bounds: readonly Bound[],
  windows: readonly SlidingWindow[],
  now: number,
): RateDecision {
  let tightest: WindowReading | undefined;
  let binding: SlidingWindow | undefined;
  for (let i = 0; i < windows.length; i++) {
    const bound = bounds[i];
    const local = windows[i];
    if (!bound || !local) continue;
    const { window, limit } = bound;
    const reading = {
      window,
      limit,
      left: Math.max(0, limit - local.used(now)),
      freesAt: local.freesAt(now),
    };
    if (tighter(tightest, reading) !== reading) continue;
    tightest = reading;
    binding = local;
  }
  if (!tightest || !binding) return decisionOf(undefined, now);
  const { window, limit, left } = tightest;
  if (left > 0) for (const local of windows) local.add(now);
  // In an empty window, this request is the oldest.
  return decisionOf({ window, limit, left, freesAt: binding.freesAt(now) }, now);
}

/** The retry policy for work that fails for a transient reason: growing pauses, and a limit. */

const SECOND = 1_000;
const MAX_PAUSE_MS = 5 * 60 * SECOND;
/** The limit: retries end when both this many tries and this much time on the product's clock have passed. */
const MAX_TRIES = 10;
const MIN_RETRY_MS = 10 * 60 * SECOND;

/** Consecutive failed tries. */
export interface Failures {
  readonly tries: number;
  readonly since: Date;
  /** The work is not retried before this moment. */
  readonly until: Date;
}

/** Work that uses up its whole time limit is retried rarely, so that workers have time for the rest. */
const COSTLY_PAUSE_MS = 6 * 3_600 * SECOND;
const MAX_COSTLY_TRIES = 4;

/**
 * Adds a failure at `now`.
 * @param isCostly whether the work used up its whole time limit, and other rows need not wait for it.
 */
export function addFailure(earlier: Failures | undefined, now: Date, isCostly = false): Failures {
  const tries = (earlier?.tries ?? 0) + 1;
  const pause = isCostly ? COSTLY_PAUSE_MS : Math.min(SECOND * 2 ** (tries - 1), MAX_PAUSE_MS);
  return { tries, since: earlier?.since ?? now, until: new Date(now.getTime() + pause) };
}

/** Whether the failures have lasted so long that their reason counts as permanent. */
export function isExhausted({ tries, since }: Failures, now: Date, isCostly = false): boolean {
  if (isCostly) return tries >= MAX_COSTLY_TRIES;
  return tries >= MAX_TRIES && now.getTime() - since.getTime() >= MIN_RETRY_MS;
}

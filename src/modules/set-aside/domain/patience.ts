/** How long work that fails for a passing reason is tried again: with growing pauses, and with an end. */

const SECOND = 1_000;
const LONGEST_PAUSE = 5 * 60 * SECOND;
/** The end: both so many tries and so much time of the product's. */
const MOST_TRIES = 10;
const LONGEST = 10 * 60 * SECOND;

/** Tries in a row that have failed. */
export interface Failures {
  readonly tries: number;
  readonly since: Date;
  /** Nothing is tried before. */
  readonly until: Date;
}

/** What takes all the time that work may take is tried seldom, so that workers have time for the rest. */
const PAUSE_OF_COSTLY = 6 * 3_600 * SECOND;
const MOST_TRIES_OF_COSTLY = 4;

/**
 * One more failure, at `now`.
 * @param isCostly whether it took all the time that work may take, and others need not wait for the row.
 */
export function oneMore(earlier: Failures | undefined, now: Date, isCostly = false): Failures {
  const tries = (earlier?.tries ?? 0) + 1;
  const pause = isCostly ? PAUSE_OF_COSTLY : Math.min(SECOND * 2 ** (tries - 1), LONGEST_PAUSE);
  return { tries, since: earlier?.since ?? now, until: new Date(now.getTime() + pause) };
}

/** Whether a reason that has lasted so long is taken for one that does not pass. */
export function isExhausted({ tries, since }: Failures, now: Date, isCostly = false): boolean {
  if (isCostly) return tries >= MOST_TRIES_OF_COSTLY;
  return tries >= MOST_TRIES && now.getTime() - since.getTime() >= LONGEST;
}

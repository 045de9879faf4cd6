/** How long the sweeper sleeps at most before it looks at a stage again, in milliseconds of real time. */

/** Nothing is due, so far as is known: a row that comes is mostly rung for by whoever stores it. */
export const LONGEST_PAUSE = 1_000;
/** The database did not answer. */
const AFTER_FAILURE = 250;
/** Rows were due: those that become due while they are worked on have no bell but this. */
const WHILE_DUE = 200;
/** A look takes longer the more tenants wait; looking takes this part of the time at most. */
const SHARE = 1 / 20;

/**
 * @param found what the look has found.
 * @param took milliseconds that it took.
 */
export function pauseAfter(found: 'due' | 'nothing' | 'failure', took: number): number {
  if (found === 'failure') return AFTER_FAILURE;
  return found === 'due' ? Math.min(Math.max(WHILE_DUE, took / SHARE), LONGEST_PAUSE) : LONGEST_PAUSE;
}

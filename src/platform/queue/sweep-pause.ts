/** The maximum time until the sweeper polls a stage again, in milliseconds of real time. */

/** No work is known to be due. The code that stores a row usually sends its wake-up. */
export const LONGEST_PAUSE = 1_000;
/** The database did not respond. */
const AFTER_FAILURE = 250;
/** Rows were due. Rows that become due while those are processed get their wake-up only from here. */
const WHILE_DUE = 200;
/** Polling takes longer with more waiting tenants. This is the maximum share of time that it may use. */
const SHARE = 1 / 20;

/**
 * @param found the result of the poll.
 * @param took its duration in milliseconds.
 */
export function pauseAfter(found: 'due' | 'nothing' | 'failure', took: number): number {
  if (found === 'failure') return AFTER_FAILURE;
  return found === 'due' ? Math.min(Math.max(WHILE_DUE, took / SHARE), LONGEST_PAUSE) : LONGEST_PAUSE;
}

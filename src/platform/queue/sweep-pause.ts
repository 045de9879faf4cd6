/** The maximum time until the sweeper polls a stage again, in milliseconds of real time. */

/** No work is known to be due. The code that stores a row usually sends its wake-up. */
export const MAX_PAUSE_MS = 1_000;
/** The database did not respond. */
const PAUSE_AFTER_FAILURE_MS = 250;
/** Rows were due. Rows that become due while those are processed get their wake-up only from here. */
const PAUSE_WHILE_DUE_MS = 200;
/** Polling takes longer with more waiting tenants. This is the maximum share of time that it may use. */
const MAX_POLL_SHARE = 1 / 20;

/**
 * @param found the result of the poll.
 * @param durationMs its duration in milliseconds.
 */
export function pauseAfter(found: 'due' | 'nothing' | 'failure', durationMs: number): number {
  if (found === 'failure') return PAUSE_AFTER_FAILURE_MS;
  return found === 'due'
    ? Math.min(Math.max(PAUSE_WHILE_DUE_MS, durationMs / MAX_POLL_SHARE), MAX_PAUSE_MS)
    : MAX_PAUSE_MS;
}

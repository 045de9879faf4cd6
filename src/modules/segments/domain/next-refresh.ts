/** Schedules the next refresh of a segment's members, which happens even without new data about contacts. */

const MINUTE = 60_000;
/** For segments where time alone changes the members. */
const TIME_DEPENDENT_INTERVAL_MS = 5 * MINUTE;
/** For all others, a refresh only corrects missed changes and accounts for deleted events. */
const DEFAULT_INTERVAL_MS = 60 * MINUTE;
/**
 * Processes may still use the segment's former filter for this long, and fail to mark contacts that the new one
 * concerns.
 */
const CACHE_PROPAGATION_MS = MINUTE;
/** A refresh may take at most one part in this number of the time. */
const MIN_PAUSE_FACTOR = 20;

export interface CompletedRefresh {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** When the segment itself was changed. */
  readonly changedAt: Date;
  readonly isTimeDependent: boolean;
}

/** The time of the next refresh. */
export function nextRefresh({ startedAt, endedAt, changedAt, isTimeDependent }: CompletedRefresh): Date {
  const isNew = startedAt.getTime() - changedAt.getTime() < CACHE_PROPAGATION_MS;
  const pause = isNew
    ? CACHE_PROPAGATION_MS
    : isTimeDependent
      ? TIME_DEPENDENT_INTERVAL_MS
      : DEFAULT_INTERVAL_MS;
  const durationMs = endedAt.getTime() - startedAt.getTime();
  return new Date(endedAt.getTime() + Math.max(pause, durationMs * MIN_PAUSE_FACTOR));
}

/** Schedules the next refresh of a segment's members, which happens even without new data about contacts. */

const MINUTE = 60_000;
/** For segments where time alone changes the members. */
const OFTEN = 5 * MINUTE;
/** For all others, a refresh only corrects missed changes and accounts for deleted events. */
const SELDOM = 60 * MINUTE;
/**
 * Processes may still use the segment's former filter for this long, and fail to mark contacts that the new one
 * concerns.
 */
const UNTIL_HEARD = MINUTE;
/** A refresh may take at most one part in this number of the time. */
const SHARE = 20;

export interface Refreshed {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** When the segment itself was changed. */
  readonly changedAt: Date;
  readonly isTimeDependent: boolean;
}

/** The time of the next refresh. */
export function nextRefresh({ startedAt, endedAt, changedAt, isTimeDependent }: Refreshed): Date {
  const isNew = startedAt.getTime() - changedAt.getTime() < UNTIL_HEARD;
  const pause = isNew ? UNTIL_HEARD : isTimeDependent ? OFTEN : SELDOM;
  const took = endedAt.getTime() - startedAt.getTime();
  return new Date(endedAt.getTime() + Math.max(pause, took * SHARE));
}

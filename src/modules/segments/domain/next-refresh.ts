/** When the members of a segment are looked up again, though nothing was heard of any contact. */

const MINUTE = 60_000;
/** Where time alone changes who is in. */
const OFTEN = 5 * MINUTE;
/** Elsewhere only what was missed is to be found, and events that are kept no longer. */
const SELDOM = 60 * MINUTE;
/** While processes may not have heard of the segment's change, what they learn of contacts may pass it by. */
const UNTIL_HEARD = MINUTE;
/** A refresh may take this share of the time at most, as one in so many. */
const SHARE = 20;

export interface Refreshed {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** When the segment itself was changed. */
  readonly changedAt: Date;
  readonly isTimeDependent: boolean;
}

/** The moment of the next refresh. */
export function nextRefresh({ startedAt, endedAt, changedAt, isTimeDependent }: Refreshed): Date {
  const isNew = startedAt.getTime() - changedAt.getTime() < UNTIL_HEARD;
  const pause = isNew ? UNTIL_HEARD : isTimeDependent ? OFTEN : SELDOM;
  const took = endedAt.getTime() - startedAt.getTime();
  return new Date(endedAt.getTime() + Math.max(pause, took * SHARE));
}

/** What a workspace may ask of quality analysis at once, and what is kept of it. */
import { DAY, SECOND } from '../../../../kernel/duration.js';
import type { InspectMode, InspectTrigger } from './inspect-job.js';

/** Runs of a workspace that were asked for and wait or are being made; those of saves have a bound of their own. */
export const MOST_WAITING = 200;
/** Runs of the gate that wait to be tried again; while there are so many it begins no more. */
export const MOST_WAITING_OF_GATE = 50;
/** Seconds after which a workspace that has so many may ask again. */
export const RETRY_AFTER = 10;

/** How often a run is begun; one that was begun so often and has not ended has failed. */
export const MOST_ATTEMPTS = 3;
/** Milliseconds before a run that failed is begun again. */
export const PAUSE = 2 * SECOND;

/** Milliseconds that a run may take. */
export const LONGEST_RUN: Readonly<Record<InspectMode, number>> = { quick: 60 * SECOND, full: 120 * SECOND };

/** Milliseconds of real time that a run asks addresses; whoever waits at the gate waits for a whole run. */
export const ASKING: Readonly<Record<InspectTrigger, number>> = {
  request: 30 * SECOND,
  save: 30 * SECOND,
  gate: 15 * SECOND,
};

/** Runs of a template, and of all, that are kept behind their end: the latest. */
export const KEPT_OF_TEMPLATE = 200;
export const KEPT_OF_WORKSPACE = 5_000;
/** Runs of a template whose findings are kept, and whose pictures: the latest that ended. */
export const KEPT_WITH_FINDINGS = 20;
export const KEPT_WITH_PICTURES = 5;
/** Runs that are swept with one that ends. */
export const SWEPT = 50;

/** Marks of a template that are kept: the latest. */
export const MOST_MARKS = 2_000;
/** Days for which a finding may be snoozed. */
export const LONGEST_SNOOZE = 365;
/** Characters of what is said of a mark. */
export const LONGEST_REASON = 500;
/** Milliseconds. */
export const snoozeOf = (days: number): number => days * DAY;

/** Characters of a line that a caller gives in place of what a template has. */
export const LONGEST_LINE = 255;

/** Entries of the ledger that are shown: the latest. */
export const SHOWN_ENTRIES = 100;

/** Why a run failed, as it is shown. */
export const RUN_ERRORS = {
  took_too_long: 'The run repeatedly took too long.',
  kept_failing: 'The run failed repeatedly because of an internal error.',
  too_costly: 'Checking the template exceeds the limits of a run.',
  worker_died: 'The process of the run crashed repeatedly.',
} as const;
export type RunError = keyof typeof RUN_ERRORS;

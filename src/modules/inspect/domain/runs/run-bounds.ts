/** Limits on what a workspace may request of quality analysis concurrently, and on what is stored. */
import { DAY, SECOND } from '../../../../kernel/duration.js';
import type { InspectMode, InspectTrigger } from './inspect-job.js';

/** Runs of a workspace that were requested and have not ended; runs of saved templates have a separate limit. */
export const MAX_UNFINISHED_REQUESTS = 200;
/** Runs of the gate that wait for a retry; at this number, the gate starts no more. */
export const MAX_UNFINISHED_GATE_RUNS = 50;
/** Seconds after which a workspace at the limit may retry. */
export const RETRY_AFTER_SECONDS = 10;

/** Maximum number of attempts of a run; a run that has not ended by then has failed. */
export const MAX_ATTEMPTS = 3;
/** Milliseconds before a failed attempt is retried. */
export const RETRY_DELAY_MS = 2 * SECOND;

/** The time limit of a run, in milliseconds. */
export const RUN_TIMEOUT_MS: Readonly<Record<InspectMode, number>> = {
  quick: 60 * SECOND,
  full: 120 * SECOND,
};

/**
 * Milliseconds of real time that a run may spend on requests to addresses; a caller at the gate waits for the whole
 * run.
 */
export const FETCH_BUDGET_MS: Readonly<Record<InspectTrigger, number>> = {
  request: 30 * SECOND,
  save: 30 * SECOND,
  gate: 15 * SECOND,
};

/** Ended runs of a template, and of a workspace, that are kept: the latest. */
export const RETAINED_RUNS_PER_TEMPLATE = 200;
export const RETAINED_RUNS_PER_WORKSPACE = 5_000;
/** Ended runs of a template whose findings, and whose screenshots, are kept: the latest. */
export const RETAINED_RUNS_WITH_FINDINGS = 20;
export const RETAINED_RUNS_WITH_SCREENSHOTS = 5;
/** Runs that are deleted after a run ends, at most. */
export const MAX_DELETED_RUNS = 50;

/** Marks of a template that are kept: the latest. */
export const MAX_MARKS = 2_000;
/** Maximum number of days for which a finding may be snoozed. */
export const MAX_SNOOZE_DAYS = 365;
/** Maximum number of characters of a mark's reason. */
export const MAX_REASON_LENGTH = 500;
/** Milliseconds. */
export const snoozeMs = (days: number): number => days * DAY;

/** Maximum number of characters of a subject or preheader that a caller gives. */
export const MAX_LINE_LENGTH = 255;

/** Entries of the ledger that are shown: the latest. */
export const MAX_LEDGER_ENTRIES = 100;

/** Why a run failed, as it is shown. */
export const RUN_ERRORS = {
  took_too_long: 'The run repeatedly took too long.',
  kept_failing: 'The run failed repeatedly because of an internal error.',
  too_costly: 'Checking the template exceeds the limits of a run.',
  worker_died: 'The process of the run crashed repeatedly.',
} as const;
export type RunError = keyof typeof RUN_ERRORS;

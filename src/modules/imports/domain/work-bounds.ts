/** Bounds of the work on a migration job. */
import { DAY, MINUTE, SECOND } from '../../../kernel/duration.js';

/** Records that one transaction writes, or one page, where that has more; twice as many are read ahead. */
export const BATCH_RECORDS = 1_000;

/** Milliseconds for which smaller pages are gathered, so that they are written together. */
export const GATHERING = 250;

/**
 * Times in a row that a job may be begun without coming any further: whoever stops processes as they start does not fail it,
 * and a job that kills them comes to an end.
 */
export const MOST_ATTEMPTS = 25;

/** Failures in a row that nobody foresaw, after which a job that came no further has failed. */
export const MOST_FAILURES = 5;

/** Milliseconds before a job that failed unforeseen is tried again, times the number of attempts. */
export const PAUSE = 2 * SECOND;

/** Milliseconds after which somebody looks whether the process that works on a job is still there. */
export const LOOK_AFTER = 5 * SECOND;

/** Milliseconds after which somebody looks whether a workspace is still suspended, or to be deleted. */
export const STILL_FOR = MINUTE;

/**
 * Workspaces whose jobs a process has in hand at a time, and those of them that it really works for: the others wait for
 * their platforms, and hold a page at most.
 */
export const TURNS_AT_ONCE = 60;
export const SEATS = 6;

/** Milliseconds between two looks whether a job that waits for its source is still to be worked on. */
export const HEARTBEAT = 2 * SECOND;

/** For how long a source may tell what else there is, in looks whether the job is still to be worked on: four minutes. */
export const TELLING = { each: HEARTBEAT, most: 120 } as const;

/** Milliseconds after which a source is asked again at the latest. */
export const LONGEST_WAIT = 30 * MINUTE;

/** Characters of a detail that an error keeps. */
export const LONGEST_ERROR_TEXT = 500;

/** Things that a job keeps by name. */
export const MOST_THINGS = 1_000;

/** Characters of a thing's name, and of its detail. */
export const LONGEST_THING_TEXT = 500;

/** What a page may have, whatever a source says: records, bytes of them as JSON, and bytes of the cursor behind it. */
export const PAGE_BOUNDS = { records: 5_000, bytes: 32 * 1024 * 1024, cursor: 16 * 1024 } as const;

/** Contacts that addresses of suppressed people are looked up for, in one transaction. */
export const MOST_BEARERS = 5_000;

/** Milliseconds for which it is known whom a failed job has come across: resumed later, it counts them anew. */
export const FAILED_KNOWN_FOR = 7 * DAY;

/** Rows of what was seen that are removed in one transaction, once the job has ended. */
export const FORGOTTEN_AT_ONCE = 20_000;

/** Limits of the work on a migration job. */
import { DAY, MINUTE, SECOND } from '../../../kernel/duration.js';

/**
 * Maximum number of records that one transaction writes; a larger page is written as a whole. Twice as many are read
 * ahead.
 */
export const BATCH_RECORDS = 1_000;

/** Milliseconds for which smaller pages are collected, so that they are written together. */
export const GATHER_MS = 250;

/**
 * How often a job may be started in a row without progress. High enough that stopping processes during their start
 * does not fail the job, and finite, so that a job that kills its processes ends.
 */
export const MAX_IMPORT_ATTEMPTS = 25;

/** Consecutive unexpected failures without progress, after which a job has failed. */
export const MAX_IMPORT_FAILURES = 5;

/** Milliseconds before a job is retried after an unexpected failure, multiplied by the number of attempts. */
export const RETRY_PAUSE_MS = 2 * SECOND;

/** Milliseconds after which others check whether the process that works on a job is still alive. */
export const LIVENESS_CHECK_MS = 5 * SECOND;

/** Milliseconds after which to check whether a workspace is still suspended, or to be deleted. */
export const SUSPENDED_CHECK_MS = MINUTE;

/**
 * The number of workspaces whose jobs a process may claim, and the number of those that it works on concurrently. The
 * others wait for their platforms, and hold one page at most.
 */
export const MAX_CLAIMED_WORKSPACES = 60;
export const MAX_WORKING_JOBS = 6;

/** Milliseconds between two checks whether a job that waits for its source is still to be worked on. */
export const HEARTBEAT_MS = 2 * SECOND;

/** How long a source may take to list other assets, as a number of heartbeats: four minutes. */
export const ASSETS_HEARTBEATS = { intervalMs: HEARTBEAT_MS, maxBeats: 120 } as const;

/** Maximum milliseconds until a source is queried again. */
export const MAX_SOURCE_WAIT_MS = 30 * MINUTE;

/** Maximum length of the detail of a stored error, in characters. */
export const MAX_ERROR_TEXT_LENGTH = 500;

/** Maximum number of named assets that a job stores. */
export const MAX_ASSETS = 1_000;

/** Maximum length of an asset's name, and of its detail, in characters. */
export const MAX_ASSET_TEXT_LENGTH = 500;

/** Limits of a page, whatever a source returns: records, their bytes as JSON, and bytes of its cursor. */
export const PAGE_LIMITS = { records: 5_000, bytes: 32 * 1024 * 1024, cursor: 16 * 1024 } as const;

/** Maximum number of contacts that are looked up for suppressed addresses in one transaction. */
export const MAX_ADDRESS_HOLDERS = 5_000;

/**
 * Milliseconds for which the seen keys of a failed job are stored. If it is resumed later, it counts contacts anew.
 */
export const FAILED_SEEN_KEYS_TTL_MS = 7 * DAY;

/** Maximum number of seen keys that are removed in one transaction, once the job has ended. */
export const SEEN_KEYS_DELETE_BATCH = 20_000;

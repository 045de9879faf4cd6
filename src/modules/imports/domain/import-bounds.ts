/** Limits of migrations: for one request, and for an environment as a whole. */

/** Jobs of an environment that may wait or run at the same time. */
export const MOST_UNDER_WAY = 20;
/** Seconds after which a request that exceeded the limit may be repeated. */
export const RETRY_AFTER = 60;
/** Ended jobs of an environment that are stored; new ones replace the oldest. */
export const MOST_KEPT = 1_000;
/** Ended jobs that are removed at a time. Each may have up to 21,000 rows. */
export const DROPPED_AT_ONCE = 2;

/** Tags that one job adds. */
export const MOST_TAGS = 100;
/** Characters of a tag. */
export const LONGEST_TAG = 255;
/** Fields of a source that one job maps. */
export const MOST_MAPPED = 1_000;
/** Characters of the name of a source's field. */
export const LONGEST_FIELD = 255;
/** Characters of a key, or of another credential. */
export const LONGEST_CREDENTIAL = 4_096;

/** Errors of a job that are stored. */
export const MOST_ERRORS = 10_000;
/** Rows of a dry run whose results are stored. */
export const MOST_ROWS = 10_000;
/** Characters of an identifier in an error: the same limit as for contacts. */
export const LONGEST_ERROR_ID = 255;
/**
 * Errors and rows of ended jobs that are stored per environment. Beyond this, each new job removes those of the
 * oldest jobs.
 */
export const MOST_RESULTS_IN_ALL = 100_000;
/**
 * Errors and rows that are removed at a time, plus the rest of the last job's. As many as a job can have, so that
 * removal keeps pace.
 */
export const RESULTS_DROPPED_AT_ONCE = 20_000;
/** Errors of a page in JSON, by default. */
export const USUAL_ERRORS = 100;
/** Jobs of a page. */
export const MOST_JOBS_OF_PAGE = 100;
export const USUAL_JOBS = 50;

/** Limits of migrations: for one request, and for an environment as a whole. */

/** Maximum number of jobs of an environment that wait or run at the same time. */
export const MOST_UNDER_WAY = 20;
/** Seconds after which a request that exceeded the limit may be repeated. */
export const RETRY_AFTER = 60;
/** Maximum number of ended jobs that are stored per environment; new ones replace the oldest. */
export const MOST_KEPT = 1_000;
/** Number of ended jobs that are removed at a time. Each may have up to 21,000 rows. */
export const DROPPED_AT_ONCE = 2;

/** Maximum number of tags that one job adds. */
export const MOST_TAGS = 100;
/** Maximum length of a tag, in characters. */
export const LONGEST_TAG = 255;
/** Maximum number of a source's fields that one job maps. */
export const MOST_MAPPED = 1_000;
/** Maximum length of the name of a source's field, in characters. */
export const LONGEST_FIELD = 255;
/** Maximum length of a key, or of another credential, in characters. */
export const LONGEST_CREDENTIAL = 4_096;

/** Maximum number of stored errors of a job. */
export const MOST_ERRORS = 10_000;
/** Maximum number of rows of a dry run whose results are stored. */
export const MOST_ROWS = 10_000;
/** Maximum length of an identifier in an error, in characters: the same as for contacts. */
export const LONGEST_ERROR_ID = 255;
/**
 * Maximum number of errors and rows of ended jobs that are stored per environment. Beyond this, each new job removes
 * those of the oldest jobs.
 */
export const MOST_RESULTS_IN_ALL = 100_000;
/**
 * Number of errors and rows that are removed at a time, plus the rest of the last job's. As many as a job can have,
 * so that removal keeps pace.
 */
export const RESULTS_DROPPED_AT_ONCE = 20_000;
/** Default number of errors of a page in JSON. */
export const USUAL_ERRORS = 100;
/** Maximum number of jobs of a page. */
export const MOST_JOBS_OF_PAGE = 100;
export const USUAL_JOBS = 50;

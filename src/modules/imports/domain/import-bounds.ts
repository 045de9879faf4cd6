/** Limits of migrations: for one request, and for an environment as a whole. */

/** Maximum number of jobs of an environment that wait or run at the same time. */
export const MAX_ACTIVE_JOBS = 20;
/** Seconds after which a request that exceeded the limit may be repeated. */
export const JOB_LIMIT_RETRY_SECONDS = 60;
/** Maximum number of ended jobs that are stored per environment; new ones replace the oldest. */
export const MAX_ENDED_JOBS = 1_000;
/** Number of ended jobs that are removed at a time. Each may have up to 21,000 rows. */
export const ENDED_JOBS_DELETE_BATCH = 2;

/** Maximum number of tags that one job adds. */
export const MAX_JOB_TAGS = 100;
/** Maximum length of a tag, in characters. */
export const MAX_CONTACT_TAG_LENGTH = 255;
/** Maximum number of a source's fields that one job maps. */
export const MAX_MAPPED_FIELDS = 1_000;
/** Maximum length of the name of a source's field, in characters. */
export const MAX_FIELD_NAME_LENGTH = 255;
/** Maximum length of a key, or of another credential, in characters. */
export const MAX_CREDENTIAL_LENGTH = 4_096;

/** Maximum number of stored errors of a job. */
export const MAX_STORED_ERRORS = 10_000;
/** Maximum number of rows of a dry run whose results are stored. */
export const MAX_STORED_ROWS = 10_000;
/** Maximum length of an identifier in an error, in characters: the same as for contacts. */
export const MAX_ERROR_ID_LENGTH = 255;
/**
 * Maximum number of errors and rows of ended jobs that are stored per environment. Beyond this, each new job removes
 * those of the oldest jobs.
 */
export const MAX_STORED_RESULTS = 100_000;
/**
 * Number of errors and rows that are removed at a time, plus the rest of the last job's. As many as a job can have,
 * so that removal keeps pace.
 */
export const RESULTS_DELETE_BATCH = 20_000;
/** Default number of errors of a page in JSON. */
export const DEFAULT_ERRORS_LIMIT = 100;
/** Maximum number of jobs of a page. */
export const MAX_JOBS_LIMIT = 100;
export const DEFAULT_JOBS_LIMIT = 50;

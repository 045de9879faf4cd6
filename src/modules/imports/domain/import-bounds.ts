/** How much may be asked of migrations: of one request, and of an environment as a whole. */

/** Jobs of an environment that wait or run at a time. */
export const MOST_UNDER_WAY = 20;
/** Seconds until a request that came to no room may come again. */
export const RETRY_AFTER = 60;
/** Ended jobs of an environment that are kept; the oldest give way to new ones. */
export const MOST_KEPT = 1_000;
/** Ended jobs that give way at a time: what belongs to each is up to 21,000 rows. */
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

/** Errors of a job that are kept. */
export const MOST_ERRORS = 10_000;
/** Rows of a dry run of which is kept what would become of them. */
export const MOST_ROWS = 10_000;
/** Characters of an identifier that an error keeps: as many as those of contacts have. */
export const LONGEST_ERROR_ID = 255;
/**
 * Errors and rows of ended jobs of an environment that are kept: with each new job the oldest jobs beyond them lose theirs.
 */
export const MOST_RESULTS_IN_ALL = 100_000;
/** Errors and rows that give way at a time, and the rest of the last job's: as many as a job has, so that no more come than go. */
export const RESULTS_DROPPED_AT_ONCE = 20_000;
/** Errors of a page in JSON where none is said. */
export const USUAL_ERRORS = 100;
/** Jobs of a page. */
export const MOST_JOBS_OF_PAGE = 100;
export const USUAL_JOBS = 50;

/** Limits of a report's fields, sections 2.8 and 8.3, and of the number of reports in a workspace. */

/** In characters. */
export const LONGEST_NAME = 255;
export const LONGEST_DESCRIPTION = 2_000;

/** In a config. */
export const MOST_METRICS = 20;
export const MOST_DIMENSIONS = 5;
export const MOST_FILTERS = 20;
/** Values of one filter. */
export const MOST_VALUES = 100;
/** Length of a filter value. */
export const LONGEST_VALUE = 255;
/** Length of the name of a metric, dimension or filter. */
export const LONGEST_KEY = 64;

/** In a workspace, not counting templates. */
export const MOST_REPORTS = 1_000;

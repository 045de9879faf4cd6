/** How much a report may hold, sections 2.8 and 8.3, and how many a workspace may have. */

/** In characters. */
export const LONGEST_NAME = 255;
export const LONGEST_DESCRIPTION = 2_000;

/** Of a config. */
export const MOST_METRICS = 20;
export const MOST_DIMENSIONS = 5;
export const MOST_FILTERS = 20;
/** Values of one filter. */
export const MOST_VALUES = 100;
/** Of a value of a filter. */
export const LONGEST_VALUE = 255;
/** Of the name of a metric, a dimension or a filter. */
export const LONGEST_KEY = 64;

/** Of a workspace, without templates. */
export const MOST_REPORTS = 1_000;

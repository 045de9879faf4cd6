/** Limits of a report's fields, sections 2.8 and 8.3, and of the number of reports in a workspace. */

/** In characters. */
export const MAX_NAME_LENGTH = 255;
export const MAX_DESCRIPTION_LENGTH = 2_000;

/** In a config. */
export const MAX_METRICS = 20;
export const MAX_DIMENSIONS = 5;
export const MAX_FILTERS = 20;
/** Values of one filter. */
export const MAX_FILTER_VALUES = 100;
/** Length of a filter value. */
export const MAX_VALUE_LENGTH = 255;
/** Length of the name of a metric, dimension or filter. */
export const MAX_KEY_LENGTH = 64;

/** In a workspace, not counting templates. */
export const MAX_REPORTS = 1_000;

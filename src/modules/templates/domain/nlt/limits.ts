/**
 * The bounds that keep a hostile template or a hostile contact from costing more than a dear email would: parsing
 * stays linear, rendering stays within a budget (specification section 2.7: body_html up to 2 MB).
 */

/** Longest expression, braces included, in UTF-16 units. */
export const MAX_BLOCK_LENGTH = 5_000;

/** Longest tag that an editor may have put inside braces. */
export const MAX_TAG_LENGTH = 2_000;

/** How deep conditions and loops may nest. */
export const MAX_DEPTH = 50;

/** Errors after which reading stops: such a template is hostile or no template. */
export const MAX_ERRORS = 100;

/** Loop iterations in one rendering, nested loops added up. */
export const MAX_ITERATIONS = 10_000;

/** Longest rendered text in UTF-16 units (5 MB). */
export const MAX_OUTPUT_LENGTH = 5 * 1024 * 1024;

/** Characters and list items that modifiers and comparisons may touch in one rendering. */
export const MAX_WORK = 20_000_000;

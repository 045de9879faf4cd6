/**
 * Limits that bound the cost of a hostile template or a hostile contact to that of an expensive email: parsing stays
 * linear, rendering stays within a budget (specification section 2.7: body_html up to 2 MB).
 */

/** Longest expression, braces included, in UTF-16 units. */
export const MAX_BLOCK_LENGTH = 5_000;

/** Longest tag that an editor may have put inside braces. */
export const MAX_TAG_LENGTH = 2_000;

/** How deep conditions and loops may nest. */
export const MAX_DEPTH = 50;

/** Errors after which parsing stops: such a template is hostile or not a template. */
export const MAX_ERRORS = 100;

/** Maximum loop iterations in one rendering, summed over nested loops. */
export const MAX_ITERATIONS = 10_000;

/** Longest rendered text in UTF-16 units (5 MB). */
export const MAX_OUTPUT_LENGTH = 5 * 1024 * 1024;

/** Expressions after which parsing stops: a real email of 2 MB has a tenth of that. */
export const MAX_BLOCKS = 20_000;

/**
 * The budget of one rendering, in units of about 10 ns: reading a character costs one, everything else what WORK says.
 * Counted, not timed: the same message has the same outcome on every machine. The whole budget is worth about a quarter
 * of a second.
 */
export const MAX_WORK = 20_000_000;

/** The budget of a rendering that blocks others, about ten milliseconds; nearly all renderings need far less. */
export const MAX_INLINE_WORK = 1_000_000;

/** Prices of rendering operations, in the units of MAX_WORK. */
export const WORK_COST = {
  /** A value, a condition or a loop iteration. */
  step: 10,
  /** A name lookup in an object. */
  name: 10,
  /** A list entry that is read, or a field that is counted. */
  entry: 15,
  /** A key of an object that is folded and compared with a name. */
  key: 60,
  /** A character of a text that is searched, or whose case is changed. */
  search: 2,
  /** A character that is escaped in HTML, and one in a link, a script or outside of quotes. */
  escape: 2,
  encode: 25,
  /** A word whose first letter is changed, or an occurrence that is replaced. */
  word: 20,
  /** A text or a fraction that is parsed as a number, in addition to its characters. */
  number: 40,
  /** A text that is read as a date. */
  date: 60,
  /** An operation on numbers that are not safe integers. */
  exact: 450,
  /** A number or date formatted by Intl, in addition to its characters. */
  format: 200,
  /** A date cut into its fields by Intl. */
  fields: 500,
  /** The first use of a formatter in a rendering, which may have to create it. */
  formatter: 5_000,
} as const;

/** The bounds that keep a foreign template cheap to read, hostile ones included; those of NLT hold for what it becomes. */

/** Blocks of one template; behind the last one it is not converted. NLT takes twice as many. */
export const MAX_FOREIGN_BLOCKS = 9_000;

/** Longest `*|…|*`, `{{ … }}` or `{% … %}`, in UTF-16 units; what is longer is text. */
export const MAX_FOREIGN_BLOCK = 4_000;

/** Filters behind one value, and names, arguments or comparisons in one list. */
export const MAX_FOREIGN_PARTS = 60;

/** What all blocks of one text may become together, in UTF-16 units: as much as a template may be long. */
export const MAX_FOREIGN_OUTPUT = 2_097_152;

/** Warnings of one text; further ones are not told. What they are about stays a placeholder all the same. */
export const MAX_FOREIGN_WARNINGS = 200;

/** Longest text of a placeholder, guillemets not counted, and longest piece that a warning quotes, in UTF-16 units. */
export const LONGEST_PLACEHOLDER_TEXT = 60;
export const LONGEST_ORIGINAL = 200;

/** How far before and behind a link's address its element is looked for, in UTF-16 units. */
export const LONGEST_OPENING_TAG = 2_000;
export const LONGEST_LINK = 3_000;

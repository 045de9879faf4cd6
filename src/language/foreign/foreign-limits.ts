/** Limits that keep foreign templates cheap to parse, including hostile ones. The limits of NLT apply to the result. */

/** Blocks of one template; conversion stops after the last one. NLT accepts twice as many. */
export const MAX_FOREIGN_BLOCKS = 9_000;

/** Longest `*|…|*`, `{{ … }}` or `{% … %}`, in UTF-16 units; what is longer is text. */
export const MAX_FOREIGN_BLOCK_LENGTH = 4_000;

/** Filters after one value, and names, arguments or comparisons in one list. */
export const MAX_FOREIGN_PARTS = 60;

/** The maximum total output of all blocks of one text, in UTF-16 units: the maximum length of a template. */
export const MAX_FOREIGN_OUTPUT = 2_097_152;

/** Warnings of one text; further ones are not reported. Their blocks still become placeholders. */
export const MAX_FOREIGN_WARNINGS = 200;

/** Maximum text of a placeholder, without guillemets, and maximum excerpt in a warning, in UTF-16 units. */
export const MAX_PLACEHOLDER_TEXT_LENGTH = 60;
export const MAX_ORIGINAL_LENGTH = 200;

/** How far before and after a link's address its element is searched, in UTF-16 units. */
export const MAX_OPENING_TAG_LENGTH = 2_000;
export const MAX_LINK_LENGTH = 3_000;

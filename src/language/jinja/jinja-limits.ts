/** Limits that keep hostile Jinja2 cheap to parse and to convert. The limits of NLT apply to the result. */

/** Longest `{{ … }}` or `{% … %}`, in UTF-16 units. Comments and raw text may be longer. */
export const MAX_JINJA_BLOCK_LENGTH = 5_000;

/** Blocks of one template; further ones are an error. */
export const MAX_JINJA_BLOCKS = 20_000;

/** How deep parentheses, lists and `not` may nest in one expression. */
export const MAX_EXPRESSION_DEPTH = 40;

/** How many attributes, subscripts, calls and filters may follow one value. */
export const MAX_POSTFIXES = 60;

/** How many comparisons or operands one converted condition or sum may have. */
export const MAX_PARTS = 100;

/** Longest piece of a template that a warning quotes. */
export const MAX_QUOTE_LENGTH = 200;

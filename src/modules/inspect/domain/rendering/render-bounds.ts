/** Maximum number of characters of a message's HTML that are rendered; no client would show more. */
export const MOST_RENDERED = 1_000_000;

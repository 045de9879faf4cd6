/** Maximum number of characters of a message's HTML that are rendered; no client would show more. */
export const MAX_RENDERED_LENGTH = 1_000_000;

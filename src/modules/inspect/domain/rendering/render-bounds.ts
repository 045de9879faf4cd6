/** Characters of a message's HTML that are rendered; a program would show no more of it. */
export const MOST_RENDERED = 1_000_000;

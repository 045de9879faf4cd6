/** Bounds of what a campaign's maker says of it, sections 2.9 and 8.3; lengths are in characters. */

export const LONGEST_NAME = 255;
export const LONGEST_SUBJECT = 255;

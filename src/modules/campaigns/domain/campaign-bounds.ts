/** Limits of the fields of a campaign, sections 2.9 and 8.3. Lengths are in characters. */

export const LONGEST_NAME = 255;
export const LONGEST_SUBJECT = 255;

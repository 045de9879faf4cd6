/**
 * Moments written as text in properties and attributes: ISO 8601, a date or a date with a time, UTC where it has no
 * offset. The pattern is read by JavaScript and by PostgreSQL alike; it lets nothing pass that either could not read.
 */

const DAY =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,6})?)?';
const OFFSET = '(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])';

/** A moment as text, as a pattern for both. */
export const MOMENT_PATTERN = `^(?!0000)${DAY}(?:${TIME}${OFFSET}?)?$`;
/** The end of a text that says its offset. */
export const OFFSET_PATTERN = `${OFFSET}$`;
/** The length of a text that is a date alone. */
export const DATE_LENGTH = 10;

const moment = new RegExp(MOMENT_PATTERN);
const offset = new RegExp(OFFSET_PATTERN);

/** The moment that a text says, to the millisecond; undefined when it says none. */
export function momentOf(text: string): Date | undefined {
  if (!moment.test(text)) return undefined;
  if (text.length === DATE_LENGTH) return new Date(`${text}T00:00:00Z`);
  return new Date(offset.test(text) ? text : `${text}Z`);
}

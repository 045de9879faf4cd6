/**
 * Durations in milliseconds, and those of wait steps, section 2.3: an integer followed by a unit letter (h hours, d days,
 * and also m minutes). They are lengths of time and know no calendar: a day is 24 hours, whatever the clocks do.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const UNIT: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

/** Longest wait that is accepted: ten years, so that a slip of the finger is refused and dates stay sane. */
const LONGEST = 3_650 * DAY;

/**
 * Milliseconds of a duration such as `36h`, `2d` or `30m`; undefined when the text is no such duration, is zero,
 * or is longer than ten years.
 */
export function parseDuration(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^(\d{1,7})([mhd])$/.exec(text);
  if (!match) return undefined;
  const milliseconds = Number(match[1]) * (UNIT[match[2] ?? ''] ?? 0);
  return milliseconds > 0 && milliseconds <= LONGEST ? milliseconds : undefined;
}

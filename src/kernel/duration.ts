/**
 * Durations in milliseconds, and the durations of wait steps, section 2.3: an integer and a unit (`h` hours, `d` days,
 * also `m` minutes). A duration ignores the calendar: a day is always 24 hours, even if the clocks change.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const UNIT: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

/** Longest accepted wait: ten years. The limit catches typing errors and keeps dates in range. */
const MAX_DURATION_MS = 3_650 * DAY;

/**
 * Parses a duration such as `36h`, `2d` or `30m` to milliseconds. Undefined if the text is not a duration, is zero, or
 * is longer than ten years.
 */
export function parseDuration(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^(\d{1,7})([mhd])$/.exec(text);
  if (!match) return undefined;
  const milliseconds = Number(match[1]) * (UNIT[match[2] ?? ''] ?? 0);
  return milliseconds > 0 && milliseconds <= MAX_DURATION_MS ? milliseconds : undefined;
}

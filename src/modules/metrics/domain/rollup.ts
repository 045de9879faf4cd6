/** The rollups by hour and day, and which parts of a period are read from which. */
import type { DateRange } from '../../../kernel/date-range.js';
import { DAY, HOUR } from '../../../kernel/duration.js';

/** The rollups, named like their tables: `email_rollups`, `email_changes` and so on. */
export const ROLLUPS = ['email', 'trip', 'step', 'event', 'contact'] as const;
export type RollupName = (typeof ROLLUPS)[number];

/** By day and by hour. For emails, these omit recipients' domains, and two more levels include them. */
export const LEVELS = { day: 0, hour: 1, dayByDomain: 2, hourByDomain: 3 } as const;

/** From `from` (inclusive) to `until` (exclusive). */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/**
 * A period in consecutive parts: `days` are read from daily rollups, `hours` from hourly ones, and `rest` row by row.
 * Days and hours are in UTC. Empty parts are omitted.
 */
export interface PeriodParts {
  readonly days: readonly Span[];
  readonly hours: readonly Span[];
  readonly rest: readonly Span[];
}

/**
 * Splits a period into parts.
 * @param byHour whether rows are grouped or filtered by hour of day, so that daily rollups cannot be used.
 */
export function partsOf({ from, to }: DateRange, byHour = false): PeriodParts {
  const [start, end] = [from.getTime(), to.getTime() + 1];
  const hours = wholeUnits(start, end, HOUR);
  if (!hours) return { days: [], hours: [], rest: spans([start, end]) };
  const rest = spans([start, hours.from], [hours.until, end]);
  const days = byHour ? undefined : wholeUnits(hours.from, hours.until, DAY);
  if (!days) return { days: [], hours: spans([hours.from, hours.until]), rest };
  return {
    days: spans([days.from, days.until]),
    hours: spans([hours.from, days.from], [days.until, hours.until]),
    rest,
  };
}

/** The whole units within a time span; undefined if there are none. */
function wholeUnits(start: number, end: number, unit: number): { from: number; until: number } | undefined {
  const from = Math.ceil(start / unit) * unit;
  const until = Math.floor(end / unit) * unit;
  return from < until ? { from, until } : undefined;
}

function spans(...bounds: readonly (readonly [number, number])[]): Span[] {
  return bounds.flatMap(([from, until]) =>
    from < until ? [{ from: new Date(from), until: new Date(until) }] : [],
  );
}

/** What is kept in sums of hours and days, and which parts of a period are read from which. */
import type { DateRange } from '../../../kernel/date-range.js';
import { DAY, HOUR } from '../../../kernel/duration.js';

/** The sums that are kept, as their tables are called: `email_rollups`, `email_changes` and so on. */
export const ROLLUPS = ['email', 'trip', 'step', 'event', 'contact'] as const;
export type RollupName = (typeof ROLLUPS)[number];

/** By the day and by the hour; of emails these know no recipients' domains, and two more levels do. */
export const LEVELS = { day: 0, hour: 1, dayByDomain: 2, hourByDomain: 3 } as const;

/** From its first moment up to, but not including, its last. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/**
 * A period in parts that follow one another: `days` are read from sums of days, `hours` from those of hours, and `rest` row by
 * row. Days and hours are UTC's. Empty parts are left out.
 */
export interface PeriodParts {
  readonly days: readonly Span[];
  readonly hours: readonly Span[];
  readonly rest: readonly Span[];
}

/**
 * The parts of a period.
 * @param byHour whether sums of days are of no use, since hours are told apart.
 */
export function partsOf({ from, to }: DateRange, byHour = false): PeriodParts {
  const [start, end] = [from.getTime(), to.getTime() + 1];
  const hours = whole(start, end, HOUR);
  if (!hours) return { days: [], hours: [], rest: spans([start, end]) };
  const rest = spans([start, hours.from], [hours.until, end]);
  const days = byHour ? undefined : whole(hours.from, hours.until, DAY);
  if (!days) return { days: [], hours: spans([hours.from, hours.until]), rest };
  return {
    days: spans([days.from, days.until]),
    hours: spans([hours.from, days.from], [days.until, hours.until]),
    rest,
  };
}

/** The whole units of a stretch of time; undefined where it holds none. */
function whole(start: number, end: number, unit: number): { from: number; until: number } | undefined {
  const from = Math.ceil(start / unit) * unit;
  const until = Math.floor(end / unit) * unit;
  return from < until ? { from, until } : undefined;
}

function spans(...bounds: readonly (readonly [number, number])[]): Span[] {
  return bounds.flatMap(([from, until]) =>
    from < until ? [{ from: new Date(from), until: new Date(until) }] : [],
  );
}

/**
 * Parses the period of a report: `date_range`, `from_date` and `to_date`, as described in section 4.2 for goal
 * conversions and 4.4 for reports. Days are UTC days.
 */
import { DomainError } from './domain-error.js';
import { DAY } from './duration.js';
import { EARLIEST_MOMENT, LATEST_MOMENT, readIsoMoment, type IsoMoment } from './iso-moment.js';

export const DATE_RANGE_PRESETS = ['1d', '7d', '30d', '90d', 'today', 'yesterday'] as const;
export type DateRangePreset = (typeof DATE_RANGE_PRESETS)[number];

export const DEFAULT_DATE_RANGE: DateRangePreset = '30d';

/** A period with millisecond precision. Both ends are inclusive. */
export interface DateRange {
  readonly from: Date;
  readonly to: Date;
}

/** The raw parameters. They have type `unknown` because an invalid value gets a specific error. */
export interface DateRangeInput {
  readonly fromDate?: unknown;
  readonly toDate?: unknown;
  readonly dateRange?: unknown;
}

/** Length of each preset in days. */
const DAYS: Readonly<Record<DateRangePreset, number>> = {
  '1d': 1,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  today: 1,
  yesterday: 1,
};

/**
 * Parses the requested period.
 *
 * - Both dates: from one to the other. `from_date` alone: until now. `to_date` alone: the preset's length before it.
 * - A date without a time means the start of the day as `from_date` and the end of the day as `to_date`.
 * - Without dates the preset applies: `1d` to `90d` are that number of 24-hour periods before now; `today` and
 *   `yesterday` are calendar days.
 * @param fallback the preset to use if none is given or the given one is unknown.
 * @throws DomainError invalid_date_param for a date that is not ISO 8601, and if the period ends before it starts.
 */
export function readDateRange(
  { fromDate, toDate, dateRange }: DateRangeInput,
  now: Date,
  fallback: DateRangePreset = DEFAULT_DATE_RANGE,
): DateRange {
  const preset = DATE_RANGE_PRESETS.find((known) => known === dateRange) ?? fallback;
  const from = fromDate === undefined ? undefined : readDate('from_date', fromDate);
  const to = toDate === undefined ? undefined : readDate('to_date', toDate);
  if (!from && !to) return ofPreset(preset, now.getTime());
  const end = to ? (to.kind === 'day' ? to.start + DAY : to.start) : now.getTime();
  const start = from?.start ?? end - DAYS[preset] * DAY;
  const range = period(start, to?.kind === 'day' ? end - 1 : end);
  if (range.from > range.to)
    throw invalid(
      'The period must not end before it starts: from_date must not be later than to_date or the current time.',
    );
  return range;
}

function ofPreset(preset: DateRangePreset, now: number): DateRange {
  const midnight = Math.floor(now / DAY) * DAY;
  if (preset === 'today') return period(midnight, now);
  if (preset === 'yesterday') return period(midnight - DAY, midnight - 1);
  return period(now - DAYS[preset] * DAY, now);
}

function period(from: number, to: number): DateRange {
  const within = (moment: number): Date =>
    new Date(Math.min(Math.max(moment, EARLIEST_MOMENT), LATEST_MOMENT));
  return { from: within(from), to: within(to) };
}

/** Parses a date with or without a time. Without an offset it is UTC. */
function readDate(name: string, value: unknown): IsoMoment {
  const moment = typeof value === 'string' ? readIsoMoment(value) : undefined;
  if (!moment)
    throw invalid(
      `${name} must be an ISO 8601 date or date-time, such as 2026-03-01 or 2026-03-01T09:30:00Z. In a URL, ` +
        'encode the plus sign of an offset as %2B.',
    );
  return moment;
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_date_param', message);
}

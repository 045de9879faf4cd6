/** The maximum length of a report's period, so that the cost of a query is limited for any given dates. */
import {
  type DateRange,
  DATE_RANGE_PRESETS,
  DEFAULT_DATE_RANGE,
  readDateRange,
  type DateRangeInput,
} from '../../../kernel/date-range.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import { EARLIEST_MOMENT } from '../../../kernel/iso-moment.js';
import type { ReportRange } from './report-data.js';

/** Length of the longest period, in days: a hundred years. */
export const MAX_PERIOD_DAYS = 36_525;
/** The moment after this one still has a four-digit year. */
const LATEST = Date.UTC(9999, 11, 31) - 1;

/**
 * Returns the period to query.
 * @throws DomainError invalid_date_param for a period of more than a hundred years.
 */
export function reportPeriod({ from, to }: DateRange): DateRange {
  if (to.getTime() - from.getTime() > MAX_PERIOD_DAYS * DAY)
    throw new DomainError(
      'invalid_date_param',
      'A period can be at most a hundred years long: move from_date and to_date closer together.',
    );
  return { from: within(from.getTime()), to: within(to.getTime()) };
}

/** Returns the preceding period of the same length, as far as dates reach. */
export function periodBefore({ from, to }: DateRange): DateRange {
  const length = to.getTime() - from.getTime() + 1;
  return { from: within(from.getTime() - length), to: within(from.getTime() - 1) };
}

function within(moment: number): Date {
  return new Date(Math.min(Math.max(moment, EARLIEST_MOMENT), LATEST));
}

/**
 * Returns the period, with the preset that it came from.
 * @throws DomainError invalid_date_param.
 */
export function analysisRange(input: DateRangeInput, now: Date): ReportRange {
  const range = reportPeriod(readDateRange(input, now));
  const isByDates = input.fromDate !== undefined || input.toDate !== undefined;
  const preset = DATE_RANGE_PRESETS.find((known) => known === input.dateRange) ?? DEFAULT_DATE_RANGE;
  return { ...range, preset: isByDates ? null : preset };
}

/** The days that a mailed report covers: whole, completed days in UTC, section 4.4. */
import { DAY } from '../../../kernel/duration.js';
import type { ReportRange } from './report-data.js';
import type { DateRangeType } from './schedule.js';

/**
 * Returns the period of a run. `mtd` is the month of yesterday, up to yesterday: on the 1st, when the new month has no
 * data yet, this is the whole previous month.
 * @param at the date of the run.
 */
export function scheduleRange(type: DateRangeType, at: Date): ReportRange {
  const today = Math.floor(at.getTime() / DAY) * DAY;
  return {
    preset: type,
    ...dateRangeOf(startOf(type, today), type === 'previous_month' ? monthOf(today) : today),
  };
}

function startOf(type: DateRangeType, today: number): number {
  switch (type) {
    case 'previous_day':
      return today - DAY;
    case 'previous_7d':
      return today - 7 * DAY;
    case 'previous_30d':
      return today - 30 * DAY;
    case 'previous_month':
      return monthOf(monthOf(today) - DAY);
    case 'mtd':
      return monthOf(today - DAY);
  }
}

/** The start of a day's month. */
function monthOf(day: number): number {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function dateRangeOf(from: number, before: number): { readonly from: Date; readonly to: Date } {
  return { from: new Date(from), to: new Date(before - 1) };
}

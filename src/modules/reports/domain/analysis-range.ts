/** The period of an analysis, as requested and as shown. */
import {
  DATE_RANGE_PRESETS,
  DEFAULT_DATE_RANGE,
  readDateRange,
  type DateRangeInput,
} from '../../../kernel/date-range.js';
import type { ReportRange } from './report-data.js';
import { reportPeriod } from './report-period.js';

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

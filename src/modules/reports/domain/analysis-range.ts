/** The period of an analysis, as requested and as shown. */
import {
  DATE_RANGE_PRESETS,
  DEFAULT_DATE_RANGE,
  readDateRange,
  type DateRangeInput,
} from '../../../kernel/date-range.js';
import type { ShownRange } from './report-data.js';
import { reportPeriod } from './report-period.js';

/**
 * Returns the period, with the preset that it came from.
 * @throws DomainError invalid_date_param.
 */
export function analysisRange(asked: DateRangeInput, now: Date): ShownRange {
  const range = reportPeriod(readDateRange(asked, now));
  const isByDates = asked.fromDate !== undefined || asked.toDate !== undefined;
  const preset = DATE_RANGE_PRESETS.find((known) => known === asked.dateRange) ?? DEFAULT_DATE_RANGE;
  return { ...range, preset: isByDates ? null : preset };
}

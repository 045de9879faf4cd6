/**
 * The period of a report in a query, sections 4.2 and 4.10. The values are validated together by the period's own
 * rules, not field by field.
 */
import { DATE_RANGE_PRESETS, DEFAULT_DATE_RANGE, type DateRangeInput } from '../../kernel/date-range.js';
import { Unvalidated } from './fields.js';
import { Input } from './input-class.js';

@Input({})
export class DateRangeQuery implements DateRangeInput {
  @Unvalidated({
    optional: true,
    example: '2026-03-01',
    description:
      'ISO 8601 date or date-time; UTC unless it has an offset. Encode the plus sign of an offset as %2B. ' +
      'Without an end date, the range ends now.',
  })
  fromDate?: unknown;

  @Unvalidated({
    optional: true,
    example: '2026-03-31',
    description:
      'ISO 8601 date or date-time; a date without a time includes the whole day. Without a start date, the ' +
      'range is as long as date_range.',
  })
  toDate?: unknown;

  @Unvalidated({
    optional: true,
    choices: DATE_RANGE_PRESETS,
    default: DEFAULT_DATE_RANGE,
    description: 'Ignored if both dates are given. An unknown value is treated as the default.',
  })
  dateRange?: unknown;
}

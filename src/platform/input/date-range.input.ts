/** The period of a report in a query, sections 4.2 and 4.10: values are judged by the period's own rules, not field by field. */
import { DATE_RANGE_PRESETS, DEFAULT_DATE_RANGE, type DateRangeInput } from '../../kernel/date-range.js';
import { Unjudged } from './fields.js';
import { Input } from './input-class.js';

@Input({})
export class DateRangeQuery implements DateRangeInput {
  @Unjudged({
    optional: true,
    example: '2026-03-01',
    description:
      'ISO 8601 date or date-time, in UTC where it has no offset; the plus sign of an offset is written %2B. ' +
      'Alone it reaches until now.',
  })
  fromDate?: unknown;

  @Unjudged({
    optional: true,
    example: '2026-03-31',
    description:
      "As from_date; a date without a time is that whole day. Alone it has date_range's length before it.",
  })
  toDate?: unknown;

  @Unjudged({
    optional: true,
    choices: DATE_RANGE_PRESETS,
    default: DEFAULT_DATE_RANGE,
    description: 'Ignored when both dates are given; a value that is not known counts as the default.',
  })
  dateRange?: unknown;
}

/** How far a report's period may reach: what is asked of it has an end, whatever dates are written. */
import type { DateRange } from '../../../kernel/date-range.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import { EARLIEST } from '../../../kernel/iso-moment.js';

/** Days of the longest period: a file of one by the hour has fewer than 900,000 rows of nothing. */
export const LONGEST_PERIOD_DAYS = 36_525;
/** What follows upon it is a date of four digits still. */
const LAST = Date.UTC(9999, 11, 31) - 1;

/**
 * The period as it is asked of the figures.
 * @throws DomainError invalid_date_param for one of more than a hundred years.
 */
export function reportPeriod({ from, to }: DateRange): DateRange {
  if (to.getTime() - from.getTime() > LONGEST_PERIOD_DAYS * DAY)
    throw new DomainError(
      'invalid_date_param',
      'A period can be at most a hundred years long: move from_date and to_date closer together.',
    );
  return { from: within(from.getTime()), to: within(to.getTime()) };
}

/** The equally long period right before, as far as there is any. */
export function periodBefore({ from, to }: DateRange): DateRange {
  const length = to.getTime() - from.getTime() + 1;
  return { from: within(from.getTime() - length), to: within(from.getTime() - 1) };
}

function within(moment: number): Date {
  return new Date(Math.min(Math.max(moment, EARLIEST), LAST));
}

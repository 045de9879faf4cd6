/** The totals of a period: messages, trips, and the steps that trips reached. */
import { addCounts, NOTHING_MEASURED, type EmailCounts } from './rates.js';

export const NO_EMAILS: EmailCounts = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  ...NOTHING_MEASURED,
};

/** Trips that started in the period, with their outcomes until now. */
export interface TripCounts {
  readonly entered: number;
  readonly completed: number;
  /** Reached a goal. */
  readonly converted: number;
}

export const NO_TRIPS: TripCounts = { entered: 0, completed: 0, converted: 0 };

/** Which messages are counted; an absent field does not filter. */
export interface EmailSelection {
  /** Flows and campaigns; an empty list counts nothing. */
  readonly sourceIds?: readonly string[];
  readonly templateSlug?: string;
}

/** Adds up several counts. */
export function sumEmailCounts(counts: Iterable<EmailCounts>): EmailCounts {
  let sum = NO_EMAILS;
  for (const one of counts) sum = addCounts(sum, one);
  return sum;
}

export function sumTripCounts(counts: Iterable<TripCounts>): TripCounts {
  let sum = NO_TRIPS;
  for (const one of counts)
    sum = {
      entered: sum.entered + one.entered,
      completed: sum.completed + one.completed,
      converted: sum.converted + one.converted,
    };
  return sum;
}

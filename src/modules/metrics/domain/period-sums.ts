/** What a period comes to, added up: of messages, of trips and of the steps that they took. */
import { addedCounts, NOTHING_MEASURED, type EmailCounts } from './rates.js';

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

/** Of trips that started in the period, whatever became of them when. */
export interface TripCounts {
  readonly entered: number;
  readonly completed: number;
  /** Came to any goal. */
  readonly converted: number;
}

export const NO_TRIPS: TripCounts = { entered: 0, completed: 0, converted: 0 };

/** Which messages are counted; what is left out is not asked. */
export interface EmailSelection {
  /** Flows and campaigns; with an empty list nothing is counted. */
  readonly sourceIds?: readonly string[];
  readonly templateSlug?: string;
}

/** Of several sums one. */
export function summedEmails(counts: Iterable<EmailCounts>): EmailCounts {
  let sum = NO_EMAILS;
  for (const one of counts) sum = addedCounts(sum, one);
  return sum;
}

export function summedTrips(counts: Iterable<TripCounts>): TripCounts {
  let sum = NO_TRIPS;
  for (const one of counts)
    sum = {
      entered: sum.entered + one.entered,
      completed: sum.completed + one.completed,
      converted: sum.converted + one.converted,
    };
  return sum;
}

/**
 * Cohorts: contacts that started something in the same period, and how many of them were active again in each later
 * period. Periods are calendar periods in UTC; weeks start on Monday.
 */
import type { DateRange } from '../../../kernel/date-range.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import { percentage } from './rates.js';

export const COHORTS_BY = ['contact_created', 'flow_entered', 'event'] as const;
export type CohortBy = (typeof COHORTS_BY)[number];

export const RETURNS_BY = ['event', 'email_opened', 'email_clicked', 'any'] as const;
export type ReturnBy = (typeof RETURNS_BY)[number];

export const COHORT_PERIODS = ['day', 'week', 'month'] as const;
export type CohortPeriod = (typeof COHORT_PERIODS)[number];

export const DEFAULT_COHORT_PERIODS = 8;
export const MAX_COHORT_PERIODS = 24;
/** Allows more than a year of days. */
export const MAX_COHORTS = 400;

/** What makes a contact a member: something it started within the range. */
export type CohortMembers =
  | { readonly by: 'contact_created' }
  | { readonly by: 'flow_entered'; readonly flowId: string }
  | { readonly by: 'event'; readonly eventName: string };

/** What counts as a return; without a name, any event does. */
export type CohortReturn =
  | { readonly by: 'event'; readonly eventName?: string }
  | { readonly by: 'email_opened' }
  | { readonly by: 'email_clicked' }
  | { readonly by: 'any' };

export interface CohortQuery {
  readonly members: CohortMembers;
  readonly returns: CohortReturn;
  readonly period: CohortPeriod;
  /** The number of periods per cohort, including the first. */
  readonly periods: number;
  readonly range: DateRange;
}

/** How many members of a cohort were active in a period. Days are YYYY-MM-DD. */
export interface CohortCell {
  readonly cohort: string;
  readonly active: string;
  readonly people: number;
}

export interface CohortValue {
  /** 0 is the cohort's own period. */
  readonly index: number;
  readonly count: number;
  /** Percent of the cohort. */
  readonly rate: number;
}

export interface Cohort {
  /** The first day of its period, YYYY-MM-DD. */
  readonly start: string;
  readonly size: number;
  /** Without periods that have not started yet. */
  readonly values: readonly CohortValue[];
}

/** Whether the activity table alone can answer the query, without source rows. It knows days, but no event names. */
export function isInActivityTable({ members, returns }: Pick<CohortQuery, 'members' | 'returns'>): boolean {
  return members.by === 'contact_created' && !(returns.by === 'event' && returns.eventName !== undefined);
}

/** The first day of the period that contains a moment. */
export function periodStart(period: CohortPeriod, moment: Date): Date {
  const day = Math.floor(moment.getTime() / DAY) * DAY;
  if (period === 'day') return new Date(day);
  // The 1st of January 1970 was a Thursday.
  if (period === 'week') return new Date(day - ((((day / DAY + 3) % 7) + 7) % 7) * DAY);
  return new Date(day - (new Date(day).getUTCDate() - 1) * DAY);
}

/** The first day of the period `count` periods after the one that starts on `start`. */
export function addPeriods(period: CohortPeriod, start: Date, count: number): Date {
  if (period !== 'month') return new Date(start.getTime() + count * (period === 'day' ? 1 : 7) * DAY);
  const later = new Date(start);
  later.setUTCMonth(start.getUTCMonth() + count);
  return later;
}

/**
 * The first days of all periods that the range touches.
 * @throws DomainError invalid_field if there are too many.
 */
export function cohortStarts(period: CohortPeriod, { from, to }: DateRange): Date[] {
  const starts: Date[] = [];
  for (let start = periodStart(period, from); start <= to; start = addPeriods(period, start, 1)) {
    if (starts.length === MAX_COHORTS)
      throw invalidFields([
        {
          field: 'period',
          message: `splits the range into more than ${MAX_COHORTS} cohorts: use longer periods or a shorter range`,
        },
      ]);
    starts.push(start);
  }
  return starts;
}

/** Formats a day as YYYY-MM-DD. */
export function formatDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/**
 * The cohorts of a range, earliest first, including empty ones.
 * @param starts the first days of all cohorts.
 * @param sizes by the first day of the cohort.
 * @param now periods that start later are omitted.
 */
export function cohortTable(
  { period, periods }: Pick<CohortQuery, 'period' | 'periods'>,
  starts: readonly Date[],
  sizes: ReadonlyMap<string, number>,
  cells: readonly CohortCell[],
  now: Date,
): Cohort[] {
  const counts = new Map(cells.map(({ cohort, active, people }) => [`${cohort} ${active}`, people]));
  return starts.map((first): Cohort => {
    const start = formatDay(first);
    const size = sizes.get(start) ?? 0;
    const values: CohortValue[] = [];
    for (let index = 0; index < periods; index++) {
      const active = addPeriods(period, first, index);
      if (active > now) break;
      const count = counts.get(`${start} ${formatDay(active)}`) ?? 0;
      values.push({ index, count, rate: percentage(count, size) });
    }
    return { start, size, values };
  });
}

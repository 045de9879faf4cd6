/**
 * Cohorts: people who began something in the same period, and how many of them were active again in each period from there.
 * Periods are calendar periods of UTC, and weeks begin on Monday.
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

export const DEFAULT_PERIODS = 8;
export const MOST_PERIODS = 24;
/** More than a year of days. */
export const MOST_COHORTS = 400;

/** Who is counted: by what they began, and that only in the range. */
export type CohortMembers =
  | { readonly by: 'contact_created' }
  | { readonly by: 'flow_entered'; readonly flowId: string }
  | { readonly by: 'event'; readonly eventName: string };

/** What makes them active again; an event of any name where none is given. */
export type CohortReturn =
  | { readonly by: 'event'; readonly eventName?: string }
  | { readonly by: 'email_opened' }
  | { readonly by: 'email_clicked' }
  | { readonly by: 'any' };

export interface CohortQuestion {
  readonly members: CohortMembers;
  readonly returns: CohortReturn;
  readonly period: CohortPeriod;
  /** How many periods of each cohort are looked at, its own included. */
  readonly periods: number;
  readonly range: DateRange;
}

/** Whoever was active in a period, of the cohort of another. Days are written YYYY-MM-DD. */
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
  /** Without those periods that have not begun yet. */
  readonly values: readonly CohortValue[];
}

/** Whether a cohort is counted by what is kept of contacts' activity, without a row of theirs: it knows days, and no events' names. */
export function isKept({ members, returns }: Pick<CohortQuestion, 'members' | 'returns'>): boolean {
  return members.by === 'contact_created' && !(returns.by === 'event' && returns.eventName !== undefined);
}

/** The first day of the period that a moment lies in. */
export function periodStart(period: CohortPeriod, moment: Date): Date {
  const day = Math.floor(moment.getTime() / DAY) * DAY;
  if (period === 'day') return new Date(day);
  // The 1st of January 1970 was a Thursday.
  if (period === 'week') return new Date(day - ((((day / DAY + 3) % 7) + 7) % 7) * DAY);
  return new Date(day - (new Date(day).getUTCDate() - 1) * DAY);
}

/** The first day of the period that is so many behind the one that begins on that day. */
export function periodsLater(period: CohortPeriod, start: Date, count: number): Date {
  if (period !== 'month') return new Date(start.getTime() + count * (period === 'day' ? 1 : 7) * DAY);
  const later = new Date(start);
  later.setUTCMonth(start.getUTCMonth() + count);
  return later;
}

/**
 * The first days of all periods that the range touches.
 * @throws DomainError invalid_field where there are too many.
 */
export function cohortStarts(period: CohortPeriod, { from, to }: DateRange): Date[] {
  const starts: Date[] = [];
  for (let start = periodStart(period, from); start <= to; start = periodsLater(period, start, 1)) {
    if (starts.length === MOST_COHORTS)
      throw invalidFields([
        {
          field: 'period',
          message: `splits the range into more than ${MOST_COHORTS} cohorts: use longer periods or a shorter range`,
        },
      ]);
    starts.push(start);
  }
  return starts;
}

/** A day as it is written. */
export function writtenDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/**
 * The cohorts of a range, the earliest first, also those of nobody.
 * @param starts of all of them.
 * @param sizes by the first day of the cohort.
 * @param now periods that begin later are left out.
 */
export function cohortTable(
  { period, periods }: Pick<CohortQuestion, 'period' | 'periods'>,
  starts: readonly Date[],
  sizes: ReadonlyMap<string, number>,
  cells: readonly CohortCell[],
  now: Date,
): Cohort[] {
  const counts = new Map(cells.map(({ cohort, active, people }) => [`${cohort} ${active}`, people]));
  return starts.map((first): Cohort => {
    const start = writtenDay(first);
    const size = sizes.get(start) ?? 0;
    const values: CohortValue[] = [];
    for (let index = 0; index < periods; index++) {
      const active = periodsLater(period, first, index);
      if (active > now) break;
      const count = counts.get(`${start} ${writtenDay(active)}`) ?? 0;
      values.push({ index, count, rate: percentage(count, size) });
    }
    return { start, size, values };
  });
}

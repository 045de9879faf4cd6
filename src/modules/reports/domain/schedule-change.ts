/** Creates, changes, pauses and resumes schedules, sections 3.4 and 4.4. */
import { DomainError } from '../../../kernel/domain-error.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import { nextRun } from '../../../kernel/recurrence.js';
import type { ReportRecord } from './report-record.js';
import { repetitionOf, type Frequency, type ReportSchedule } from './schedule.js';

/** The fields of a schedule that users set; a day is null if the frequency has none. */
export type ScheduleContent = Pick<
  ReportSchedule,
  | 'frequency'
  | 'dayOfWeek'
  | 'dayOfMonth'
  | 'hour'
  | 'timezone'
  | 'dateRangeType'
  | 'recipients'
  | 'formatOptions'
>;

/** Changes to a schedule: an absent field stays as it is; so does a day that is null. */
export type ScheduleChange = Partial<ScheduleContent>;

/** The fields of a new schedule; absent ones have defaults. */
export type NewSchedule = ScheduleChange & Pick<ScheduleContent, 'frequency' | 'recipients'>;

/** Monday, and the 1st. */
const DEFAULT_DAY = { dayOfWeek: 0, dayOfMonth: 1 } as const;
/** The frequency that each day field belongs to. */
const FREQUENCY_OF = { dayOfWeek: 'weekly', dayOfMonth: 'monthly' } as const;
type Day = keyof typeof FREQUENCY_OF;

/** The defaults. */
export const DEFAULT_SCHEDULE: Omit<ScheduleContent, 'frequency' | 'recipients'> = {
  dayOfWeek: null,
  dayOfMonth: null,
  hour: 9,
  timezone: 'UTC',
  dateRangeType: 'previous_7d',
  formatOptions: { chartImage: false, csvAttachment: false, kpiOnly: false },
};

/**
 * Creates an active schedule.
 * @throws DomainError invalid_field for a day that does not belong to the frequency.
 */
export function newSchedule(reportId: string, input: NewSchedule, now: Date): ReportSchedule {
  const content = { ...DEFAULT_SCHEDULE, ...input, ...daysOf(input.frequency, input, DEFAULT_SCHEDULE) };
  return withNextRun(
    {
      ...content,
      reportId,
      isActive: true,
      nextSendAt: now,
      lastSentAt: null,
      createdAt: now,
      updatedAt: now,
    },
    now,
  );
}

/**
 * Applies a change and recomputes the next date; a paused schedule stays paused.
 * @throws DomainError invalid_field for a day that does not belong to the frequency.
 */
export function changedSchedule(schedule: ReportSchedule, change: ScheduleChange, now: Date): ReportSchedule {
  const frequency = change.frequency ?? schedule.frequency;
  return withNextRun({ ...schedule, ...change, ...daysOf(frequency, change, schedule), updatedAt: now }, now);
}

/** Pauses the schedule; returns it unchanged if it is already paused. */
export function pausedSchedule(schedule: ReportSchedule, now: Date): ReportSchedule {
  return schedule.isActive ? { ...schedule, isActive: false, updatedAt: now } : schedule;
}

/** Activates the schedule from its next date on. Missed dates are skipped. */
export function resumedSchedule(schedule: ReportSchedule, now: Date): ReportSchedule {
  return withNextRun({ ...schedule, isActive: true, updatedAt: now }, now);
}

/** When the worker checks a schedule; null while it is paused. */
export function nextCheckOf({ isActive, nextSendAt }: ReportSchedule): Date | null {
  return isActive ? nextSendAt : null;
}

/**
 * The schedule as callers see it. The next date of a paused schedule is the one it would have if it were resumed now.
 */
function withCurrentNextRun(schedule: ReportSchedule, now: Date): ReportSchedule {
  return schedule.isActive || schedule.nextSendAt > now ? schedule : withNextRun(schedule, now);
}

/** A report with its schedule as callers see it. */
export function withCurrentSchedule(report: ReportRecord, now: Date): ReportRecord {
  const { schedule } = report;
  return schedule === null ? report : { ...report, schedule: withCurrentNextRun(schedule, now) };
}

/** Computes the next date in local time of the zone: once per period, even if clocks change. */
function withNextRun(schedule: ReportSchedule, now: Date): ReportSchedule {
  return { ...schedule, nextSendAt: nextRun(repetitionOf(schedule), now) };
}

/** The days of a frequency: the requested, previous or default day; null for other frequencies. */
function daysOf(
  frequency: Frequency,
  input: Partial<Record<Day, number | null>>,
  before: Record<Day, number | null>,
): Record<Day, number | null> {
  const dayFor = (day: Day): number | null => {
    if (FREQUENCY_OF[day] === frequency) return input[day] ?? before[day] ?? DEFAULT_DAY[day];
    if (typeof input[day] === 'number') throw misplacedDayError(day);
    return null;
  };
  return { dayOfWeek: dayFor('dayOfWeek'), dayOfMonth: dayFor('dayOfMonth') };
}

/** The error for a day that does not belong to the frequency. */
function misplacedDayError(day: Day): DomainError {
  const message = `is only valid for ${FREQUENCY_OF[day]} schedules`;
  return new DomainError('invalid_field', `${snakeCase(day)}: ${message}`, (spell) => ({
    errors: [{ field: spell(day), message }],
  }));
}

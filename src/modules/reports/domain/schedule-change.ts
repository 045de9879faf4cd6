/** What becomes of a schedule that is made, changed, stopped or taken up again, sections 3.4 and 4.4. */
import { DomainError } from '../../../kernel/domain-error.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import { nextRun } from '../../../kernel/recurrence.js';
import type { ReportRecord } from './report-record.js';
import { repetitionOf } from './schedule-repetition.js';
import type { Frequency, ReportSchedule } from './schedule.js';

/** What people decide about a schedule; a day is null where the frequency knows none. */
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

/** What is to be changed: what is left out stays; a day that is null says nothing. */
export type ScheduleChange = Partial<ScheduleContent>;

/** What is wanted of a new one: what is left out is as usual. */
export type NewSchedule = ScheduleChange & Pick<ScheduleContent, 'frequency' | 'recipients'>;

/** Monday, and the 1st. */
const USUAL_DAY = { dayOfWeek: 0, dayOfMonth: 1 } as const;
/** The frequency that a day is of. */
const FREQUENCY_OF = { dayOfWeek: 'weekly', dayOfMonth: 'monthly' } as const;
type Day = keyof typeof FREQUENCY_OF;

/** What is not said. */
export const USUAL_SCHEDULE: Omit<ScheduleContent, 'frequency' | 'recipients'> = {
  dayOfWeek: null,
  dayOfMonth: null,
  hour: 9,
  timezone: 'UTC',
  dateRangeType: 'previous_7d',
  formatOptions: { chartImage: false, csvAttachment: false, kpiOnly: false },
};

/**
 * An active schedule.
 * @throws DomainError invalid_field for a day that is of another frequency.
 */
export function newSchedule(reportId: string, wanted: NewSchedule, now: Date): ReportSchedule {
  const content = { ...USUAL_SCHEDULE, ...wanted, ...daysOf(wanted.frequency, wanted, USUAL_SCHEDULE) };
  return onItsWay(
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
 * The schedule with what the change speaks of, and its next date; one that is paused stays so.
 * @throws DomainError invalid_field for a day that is not of its frequency.
 */
export function changedSchedule(schedule: ReportSchedule, change: ScheduleChange, now: Date): ReportSchedule {
  const frequency = change.frequency ?? schedule.frequency;
  return onItsWay({ ...schedule, ...change, ...daysOf(frequency, change, schedule), updatedAt: now }, now);
}

/** The schedule stopped; as it is, where it is already. */
export function pausedSchedule(schedule: ReportSchedule, now: Date): ReportSchedule {
  return schedule.isActive ? { ...schedule, isActive: false, updatedAt: now } : schedule;
}

/** The schedule active, from its next date on: what was missed is not made up for. */
export function resumedSchedule(schedule: ReportSchedule, now: Date): ReportSchedule {
  return onItsWay({ ...schedule, isActive: true, updatedAt: now }, now);
}

/** When the worker looks at a schedule: not while it is paused. */
export function lookAtOf({ isActive, nextSendAt }: ReportSchedule): Date | null {
  return isActive ? nextSendAt : null;
}

/** The schedule as it is shown: the next date of one that is paused is that on which it would be sent if it was resumed. */
function shownSchedule(schedule: ReportSchedule, now: Date): ReportSchedule {
  return schedule.isActive || schedule.nextSendAt > now ? schedule : onItsWay(schedule, now);
}

/** A report with its schedule as it is shown. */
export function shownRecord(report: ReportRecord, now: Date): ReportRecord {
  const { schedule } = report;
  return schedule === null ? report : { ...report, schedule: shownSchedule(schedule, now) };
}

/** Clocks of the zone say when: once a period, whatever they do. */
function onItsWay(schedule: ReportSchedule, now: Date): ReportSchedule {
  return { ...schedule, nextSendAt: nextRun(repetitionOf(schedule), now) };
}

/** The days of a frequency: what is asked for, what was so before, or the usual one; of others there is none. */
function daysOf(
  frequency: Frequency,
  asked: Partial<Record<Day, number | null>>,
  before: Record<Day, number | null>,
): Record<Day, number | null> {
  const of = (day: Day): number | null => {
    if (FREQUENCY_OF[day] === frequency) return asked[day] ?? before[day] ?? USUAL_DAY[day];
    if (typeof asked[day] === 'number') throw strange(day);
    return null;
  };
  return { dayOfWeek: of('dayOfWeek'), dayOfMonth: of('dayOfMonth') };
}

/** The refusal of a day that is not of the frequency. */
function strange(day: Day): DomainError {
  const message = `is only valid for ${FREQUENCY_OF[day]} schedules`;
  return new DomainError('invalid_field', `${snakeCase(day)}: ${message}`, (spell) => ({
    errors: [{ field: spell(day), message }],
  }));
}

/**
 * Converts a schedule for the product's common recurrence rule: on the hour; Monday and the 1st are the default days.
 */
import type { Repetition } from '../../../kernel/recurrence.js';
import type { ReportSchedule } from './schedule.js';

export function repetitionOf({
  frequency,
  dayOfWeek,
  dayOfMonth,
  hour,
  timezone,
}: Pick<ReportSchedule, 'frequency' | 'dayOfWeek' | 'dayOfMonth' | 'hour' | 'timezone'>): Repetition {
  return {
    ...{ frequency, hour, minute: 0, timezone },
    dayOfWeek: dayOfWeek ?? 0,
    dayOfMonth: dayOfMonth ?? 1,
  };
}

/** A schedule as the product's one rule of repetition takes it: at the full hour, on Mondays and on the 1st where no day is named. */
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

/** The schedule of a report: when it is mailed, and to whom; sections 2.8, 3.4 and 4.4. */
import type { Repetition } from '../../../kernel/recurrence.js';

export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const DATE_RANGE_TYPES = [
  'previous_day',
  'previous_7d',
  'previous_30d',
  'previous_month',
  'mtd',
] as const;
export type DateRangeType = (typeof DATE_RANGE_TYPES)[number];

export interface ReportRecipient {
  readonly email: string;
  readonly name: string | null;
}

export interface FormatOptions {
  readonly chartImage: boolean;
  readonly csvAttachment: boolean;
  readonly kpiOnly: boolean;
}

export interface ReportSchedule {
  readonly reportId: string;
  readonly frequency: Frequency;
  /** 0 (Monday) to 6 (Sunday); only for weekly schedules. */
  readonly dayOfWeek: number | null;
  /** 1 to 28; only for monthly schedules. */
  readonly dayOfMonth: number | null;
  readonly hour: number;
  readonly timezone: string;
  readonly dateRangeType: DateRangeType;
  readonly recipients: readonly ReportRecipient[];
  readonly formatOptions: FormatOptions;
  readonly isActive: boolean;
  readonly nextSendAt: Date;
  readonly lastSentAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Converts a schedule for the product's common recurrence rule: on the hour; Monday and the 1st are the default days.
 */
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

/** The input of a report's schedule: when it is mailed, and to whom; section 4.4, shared by REST and GraphQL. */
import { isTimeZone } from '../../../kernel/time-zone.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Email, Flag, Nested, OneOf, Text, Integer } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { NestedList } from '../../../platform/input/variants.js';
import { normalAddress } from '../../delivery/domain/email-address.js';
import { MAX_NAME_LENGTH } from '../domain/report-limits.js';
import { DEFAULT_SCHEDULE, type NewSchedule, type ScheduleChange } from '../domain/schedule-change.js';
import {
  DATE_RANGE_TYPES,
  FREQUENCIES,
  type DateRangeType,
  type Frequency,
  type ReportRecipient,
} from '../domain/schedule.js';

export const ReportFrequencyEnum = graphqlEnum('ReportFrequency', FREQUENCIES);
export const ReportDateRangeTypeEnum = graphqlEnum('ReportDateRangeType', DATE_RANGE_TYPES);

const MAX_RECIPIENTS = 10;

@Input({ rest: 'ReportRecipientFields', graphql: 'ReportRecipientInput' })
export class ReportRecipientInput {
  @Email({
    check: (email) => (normalAddress(String(email)) === undefined ? 'must be an email address' : undefined),
    example: 'ada@example.com',
  })
  email: string;

  @Text({ optional: true, nullable: true, max: MAX_NAME_LENGTH, example: 'Ada' }) name?: string | null;
}

const OFF = { optional: true, nullable: 'absent', default: false } as const;

@Input({ rest: 'ReportFormatFields', graphql: 'ReportFormatInput' })
export class ReportFormatInput {
  @Flag({ ...OFF, description: 'Includes the chart as an image.' }) chartImage?: boolean;
  @Flag({ ...OFF, description: 'Includes the rows as a CSV attachment.' }) csvAttachment?: boolean;
  @Flag({ ...OFF, description: 'Omits the table.' }) kpiOnly?: boolean;
}

const OPTIONAL = { optional: true, nullable: 'absent' } as const;
const FREQUENCY = { enumType: ReportFrequencyEnum, description: 'daily, weekly or monthly.' } as const;
const RECIPIENTS = { least: 1, most: MAX_RECIPIENTS } as const;

/** The optional fields. */
@Input({})
class ReportScheduleFields {
  @Integer({
    ...OPTIONAL,
    min: 0,
    max: 6,
    description: '0 (Monday, the default) to 6 (Sunday). Only valid for weekly schedules.',
  })
  dayOfWeek?: number;

  @Integer({ ...OPTIONAL, min: 1, max: 28, description: 'Only valid for monthly schedules. Defaults to 1.' })
  dayOfMonth?: number;

  @Integer({ ...OPTIONAL, min: 0, max: 23, description: `Defaults to ${DEFAULT_SCHEDULE.hour}.` })
  hour?: number;

  @Text({
    ...OPTIONAL,
    check: (text) => (isTimeZone(text) ? undefined : 'must be an IANA time zone, such as Europe/Berlin'),
    example: 'Europe/Berlin',
    description: `Defaults to ${DEFAULT_SCHEDULE.timezone}.`,
  })
  timezone?: string;

  @OneOf(DATE_RANGE_TYPES, {
    ...OPTIONAL,
    enumType: ReportDateRangeTypeEnum,
    description: `The period shown in the email. Defaults to ${DEFAULT_SCHEDULE.dateRangeType}.`,
  })
  dateRangeType?: DateRangeType;

  @Nested(ReportFormatInput, { ...OPTIONAL, description: 'Replaced as a whole; omitted options are off.' })
  formatOptions?: ReportFormatInput;
}

@Input({ rest: 'CreateReportScheduleBody', graphql: 'CreateReportScheduleInput' })
export class CreateReportScheduleInput extends ReportScheduleFields {
  @OneOf(FREQUENCIES, FREQUENCY) frequency: Frequency;
  @NestedList(ReportRecipientInput, RECIPIENTS) recipients: readonly ReportRecipientInput[];
}

@Input({
  rest: 'UpdateReportScheduleBody',
  graphql: 'UpdateReportScheduleInput',
  description: 'Omitted fields do not change. Changing the frequency clears the previous day.',
})
export class UpdateReportScheduleInput extends ReportScheduleFields {
  @OneOf(FREQUENCIES, { ...FREQUENCY, ...OPTIONAL }) frequency?: Frequency;
  @NestedList(ReportRecipientInput, RECIPIENTS, OPTIONAL) recipients?: readonly ReportRecipientInput[];
}

/** Returns the requested schedule. */
export function newScheduleOf(input: CreateReportScheduleInput): NewSchedule {
  const { frequency, recipients } = input;
  return { ...scheduleChangeOf(input), frequency, recipients: recipients.map(recipientOf) };
}

/** Returns the requested changes of a schedule. */
export function scheduleChangeOf(input: UpdateReportScheduleInput): ScheduleChange {
  const { recipients, formatOptions, ...fields } = input;
  return {
    ...fields,
    ...(recipients === undefined ? {} : { recipients: recipients.map(recipientOf) }),
    ...(formatOptions === undefined
      ? {}
      : { formatOptions: { ...DEFAULT_SCHEDULE.formatOptions, ...formatOptions } }),
  };
}

function recipientOf({ email, name = null }: ReportRecipientInput): ReportRecipient {
  return { email, name };
}

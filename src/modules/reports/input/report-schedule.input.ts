/** When and to whom a report is to be mailed, section 4.4, in REST and GraphQL alike. */
import { isTimeZone } from '../../../kernel/time-zone.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Email, Flag, Nested, OneOf, Text, Whole } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { NestedList } from '../../../platform/input/variants.js';
import { normalAddress } from '../../delivery/domain/email-address.js';
import { LONGEST_NAME } from '../domain/report-bounds.js';
import { USUAL_SCHEDULE, type NewSchedule, type ScheduleChange } from '../domain/schedule-change.js';
import {
  DATE_RANGE_TYPES,
  FREQUENCIES,
  type DateRangeType,
  type Frequency,
  type ReportRecipient,
} from '../domain/schedule.js';

export const ReportFrequencyEnum = graphqlEnum('ReportFrequency', FREQUENCIES);
export const ReportDateRangeTypeEnum = graphqlEnum('ReportDateRangeType', DATE_RANGE_TYPES);

const MOST_RECIPIENTS = 10;

@Input({ rest: 'ReportRecipientFields', graphql: 'ReportRecipientInput' })
export class ReportRecipientInput {
  @Email({
    check: (email) => (normalAddress(String(email)) === undefined ? 'must be an email address' : undefined),
    example: 'ada@example.com',
  })
  email: string;

  @Text({ optional: true, nullable: true, max: LONGEST_NAME, example: 'Ada' }) name?: string | null;
}

const OFF = { optional: true, nullable: 'absent', default: false } as const;

@Input({ rest: 'ReportFormatFields', graphql: 'ReportFormatInput' })
export class ReportFormatInput {
  @Flag({ ...OFF, description: 'The chart as an image.' }) chartImage?: boolean;
  @Flag({ ...OFF, description: 'The rows as a CSV file.' }) csvAttachment?: boolean;
  @Flag({ ...OFF, description: 'Without the table.' }) kpiOnly?: boolean;
}

const UNSAID = { optional: true, nullable: 'absent' } as const;
const FREQUENCY = { enumType: ReportFrequencyEnum, description: 'daily, weekly or monthly.' } as const;
const RECIPIENTS = { least: 1, most: MOST_RECIPIENTS } as const;

/** What may be left out. */
@Input({})
class ReportScheduleFields {
  @Whole({
    ...UNSAID,
    min: 0,
    max: 6,
    description: '0 is Monday; of weekly ones alone, Monday where none is given.',
  })
  dayOfWeek?: number;

  @Whole({ ...UNSAID, min: 1, max: 28, description: 'Of monthly ones alone, the 1st where none is given.' })
  dayOfMonth?: number;

  @Whole({ ...UNSAID, min: 0, max: 23, description: `${USUAL_SCHEDULE.hour} where none is given.` })
  hour?: number;

  @Text({
    ...UNSAID,
    check: (text) =>
      isTimeZone(text) ? undefined : 'must be the name of a time zone, such as Europe/Berlin',
    example: 'Europe/Berlin',
    description: `${USUAL_SCHEDULE.timezone} where none is given.`,
  })
  timezone?: string;

  @OneOf(DATE_RANGE_TYPES, {
    ...UNSAID,
    enumType: ReportDateRangeTypeEnum,
    description: `What the mail shows; ${USUAL_SCHEDULE.dateRangeType} where none is given.`,
  })
  dateRangeType?: DateRangeType;

  @Nested(ReportFormatInput, { ...UNSAID, description: 'As a whole: what is left out of it is off.' })
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
  description: 'What is left out stays; another frequency takes the day of the one before away.',
})
export class UpdateReportScheduleInput extends ReportScheduleFields {
  @OneOf(FREQUENCIES, { ...FREQUENCY, ...UNSAID }) frequency?: Frequency;
  @NestedList(ReportRecipientInput, RECIPIENTS, UNSAID) recipients?: readonly ReportRecipientInput[];
}

/** The schedule that is asked for. */
export function newScheduleOf(input: CreateReportScheduleInput): NewSchedule {
  const { frequency, recipients } = input;
  return { ...scheduleChangeOf(input), frequency, recipients: recipients.map(recipientOf) };
}

/** What is to be changed of a schedule. */
export function scheduleChangeOf(input: UpdateReportScheduleInput): ScheduleChange {
  const { recipients, formatOptions, ...given } = input;
  return {
    ...given,
    ...(recipients === undefined ? {} : { recipients: recipients.map(recipientOf) }),
    ...(formatOptions === undefined
      ? {}
      : { formatOptions: { ...USUAL_SCHEDULE.formatOptions, ...formatOptions } }),
  };
}

function recipientOf({ email, name = null }: ReportRecipientInput): ReportRecipient {
  return { email, name };
}

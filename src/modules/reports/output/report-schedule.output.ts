/** The schedule of a report in REST (section 4.4) and in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/recipient-state.js';
import { DATE_RANGE_TYPES, FREQUENCIES, type DateRangeType, type Frequency } from '../domain/schedule.js';
import { ReportDateRangeTypeEnum, ReportFrequencyEnum } from '../input/report-schedule.input.js';

const ReportRecipientStatusEnum = graphqlEnum('ReportRecipientStatus', RECIPIENT_STATUSES);

@Output({ rest: 'ReportRecipientResponse', graphql: 'ReportRecipient' })
class ReportRecipientOutput {
  @Out('String', { example: 'ada@example.com' }) email: string;
  @Out('String', { nullable: true, example: 'Ada' }) name: string | null;
}

@Output({
  graphql: 'ReportRecipientState',
  description: 'Whether a scheduled report is sent to a recipient.',
})
export class ReportRecipientStateOutput {
  @Out('String') email: string;
  @Out(oneOf(RECIPIENT_STATUSES, ReportRecipientStatusEnum), {
    description:
      'pending: must confirm first; confirmed: receives the report (members do not need to confirm); stopped: ' +
      'opted out with the link in a report email; bounced, complained: a report email bounced or was reported ' +
      'as spam; suppressed: on the workspace’s suppression list.',
  })
  status: RecipientStatus;

  @Out('DateTime', {
    nullable: true,
    description:
      'Null if the status comes from team membership or the suppression list, or the recipient was not asked yet.',
  })
  changedAt: Date | null;
}

@Output({
  rest: 'ReportFormatResponse',
  graphql: 'ReportFormat',
  description: 'What the report email contains in addition to the totals.',
})
class ReportFormatOutput {
  @Out('Boolean') chartImage: boolean;
  @Out('Boolean') csvAttachment: boolean;
  @Out('Boolean', { description: 'Omits the table.' }) kpiOnly: boolean;
}

/** A schedule within its report in REST. */
@Output({ rest: 'ReportScheduleSummaryResponse' })
export class ReportScheduleSummaryOutput {
  @Out(oneOf(FREQUENCIES, ReportFrequencyEnum)) frequency: Frequency;
  @Out('Boolean') isActive: boolean;
  @Out('DateTime', {
    description: 'When the report is sent next. For a paused schedule, when it would be sent if resumed now.',
  })
  nextSendAt: Date;
}

@Output({ rest: 'ReportScheduleResponse', graphql: 'ReportSchedule' })
export class ReportScheduleOutput extends ReportScheduleSummaryOutput {
  @Out('ID') reportId: string;
  @Out('Int', {
    nullable: true,
    description: '0 (Monday) to 6 (Sunday). Null unless the schedule is weekly.',
  })
  dayOfWeek: number | null;
  @Out('Int', { nullable: true }) dayOfMonth: number | null;
  @Out('Int', { example: 9 }) hour: number;
  @Out('String', { example: 'Europe/Berlin' }) timezone: string;
  @Out(oneOf(DATE_RANGE_TYPES, ReportDateRangeTypeEnum)) dateRangeType: DateRangeType;
  @Out([ReportRecipientOutput]) recipients: readonly ReportRecipientOutput[];
  @Out(ReportFormatOutput) formatOptions: ReportFormatOutput;
  @Out('DateTime', { nullable: true }) lastSentAt: Date | null;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
}

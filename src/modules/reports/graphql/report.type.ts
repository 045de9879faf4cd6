/** The GraphQL types of a report, with its link and its schedule. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { DataSource, FilterOperator, MetricFilter } from '../../metrics/domain/metric-query.js';
import type { ChartType, ReportType, Visibility } from '../domain/report.js';
import { RECIPIENT_STATUSES, type RecipientStatus } from '../domain/recipient-state.js';
import type { DateRangeType, Frequency } from '../domain/schedule.js';
import {
  MetricFilterOperatorEnum,
  ReportChartTypeEnum,
  ReportDataSourceEnum,
} from '../input/report-config.input.js';
import { ReportTypeEnum, ReportVisibilityEnum } from '../input/report.input.js';
import { ReportDateRangeTypeEnum, ReportFrequencyEnum } from '../input/report-schedule.input.js';

const ReportRecipientStatusEnum = graphqlEnum('ReportRecipientStatus', RECIPIENT_STATUSES);

@ObjectType('MetricFilter')
class MetricFilterType {
  @Field() field: string;
  @Field(() => MetricFilterOperatorEnum) operator: FilterOperator;
  @Field(() => JsonScalar, { description: 'A list for in and not_in.' }) value: MetricFilter['value'];
}

@ObjectType('ReportConfig')
class ReportConfigType {
  @Field(() => ReportDataSourceEnum) dataSource: DataSource;
  @Field(() => [String]) metrics: readonly string[];
  @Field(() => [String]) dimensions: readonly string[];
  @Field(() => [MetricFilterType]) filters: readonly MetricFilterType[];
  @Field(() => ReportChartTypeEnum) chartType: ChartType;
  @Field() comparisonEnabled: boolean;
  @Field({ description: '1d, 7d, 30d, 90d, today or yesterday' }) dateRangeDefault: string;
}

@ObjectType('ReportShare', { description: 'A share link, which may have expired.' })
class ReportShareType {
  @Field(() => GraphQLISODateTime) expiresAt: Date;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('ReportShareLink', { description: 'A share link with its token, as returned once.' })
export class ReportShareLinkType {
  @Field() token: string;
  @Field() url: string;
  @Field(() => GraphQLISODateTime) expiresAt: Date;
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('ReportRecipient')
class ReportRecipientType {
  @Field() email: string;
  @Field(() => String, { nullable: true }) name: string | null;
}

@ObjectType('ReportRecipientState', { description: 'Whether a scheduled report is sent to a recipient.' })
export class ReportRecipientStateType {
  @Field() email: string;
  @Field(() => ReportRecipientStatusEnum, {
    description:
      'pending: must confirm first; confirmed: receives the report (members do not need to confirm); stopped: ' +
      'opted out with the link in a report email; bounced, complained: a report email bounced or was reported ' +
      'as spam; suppressed: on the workspace’s suppression list.',
  })
  status: RecipientStatus;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'Null if the status comes from team membership or the suppression list, or the recipient was not asked yet.',
  })
  changedAt: Date | null;
}

@ObjectType('ReportFormat', { description: 'What the report email contains in addition to the totals.' })
class ReportFormatType {
  @Field() chartImage: boolean;
  @Field() csvAttachment: boolean;
  @Field({ description: 'Omits the table.' }) kpiOnly: boolean;
}

@ObjectType('ReportSchedule')
export class ReportScheduleType {
  @Field(() => ID) reportId: string;
  @Field(() => ReportFrequencyEnum) frequency: Frequency;
  @Field(() => Int, {
    nullable: true,
    description: '0 (Monday) to 6 (Sunday). Null unless the schedule is weekly.',
  })
  dayOfWeek: number | null;
  @Field(() => Int, { nullable: true }) dayOfMonth: number | null;
  @Field(() => Int) hour: number;
  @Field() timezone: string;
  @Field(() => ReportDateRangeTypeEnum) dateRangeType: DateRangeType;
  @Field(() => [ReportRecipientType]) recipients: readonly ReportRecipientType[];
  @Field(() => ReportFormatType) formatOptions: ReportFormatType;
  @Field() isActive: boolean;
  @Field(() => GraphQLISODateTime, {
    description: 'When the report is sent next. For a paused schedule, when it would be sent if resumed now.',
  })
  nextSendAt: Date;

  @Field(() => GraphQLISODateTime, { nullable: true }) lastSentAt: Date | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}

/** Not named `ReportType`, which is the kind of a report. */
@ObjectType('Report')
export class ReportRecordType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field(() => String, { nullable: true }) description: string | null;
  @Field(() => ReportTypeEnum) reportType: ReportType;
  @Field(() => ReportVisibilityEnum) visibility: Visibility;
  @Field(() => ReportConfigType) config: ReportConfigType;
  @Field({ description: 'Whether the report is one of the pre-built templates.' }) isTemplate: boolean;
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the member. Null for template reports and reports created with an API key.',
  })
  createdBy: string | null;

  @Field(() => Int, { description: 'Incremented by every change, starting at 1.' }) version: number;
  @Field(() => GraphQLISODateTime, { nullable: true }) lastViewedAt: Date | null;
  @Field(() => ReportShareType, { nullable: true }) share: ReportShareType | null;
  @Field(() => ReportScheduleType, { nullable: true }) schedule: ReportScheduleType | null;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}

@ObjectType('ReportEdge')
export class ReportEdgeType extends edge<ReportRecordType>(() => ReportRecordType) {}

@ObjectType('ReportConnection')
export class ReportConnectionType extends connection(() => ReportEdgeType) {
  @Field(() => Int) totalCount: number;
}

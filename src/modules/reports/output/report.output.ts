/** A report in REST (sections 2.8 and 4.4) and in GraphQL, with its share link and its schedule. */
import { DATE_RANGE_PRESETS } from '../../../kernel/date-range.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import {
  DATA_SOURCES,
  FILTER_OPERATORS,
  type DataSource,
  type FilterOperator,
  type MetricFilter,
} from '../../metrics/domain/metric-query.js';
import {
  CHART_TYPES,
  REPORT_TYPES,
  VISIBILITIES,
  type ChartType,
  type ReportType,
  type Visibility,
} from '../domain/report.js';
import {
  MetricFilterOperatorEnum,
  ReportChartTypeEnum,
  ReportDataSourceEnum,
} from '../input/report-config.input.js';
import { ReportTypeEnum, ReportVisibilityEnum } from '../input/report.input.js';
import { ReportScheduleOutput, ReportScheduleSummaryOutput } from './report-schedule.output.js';

const FILTER_VALUE = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];

@Output({ rest: 'MetricFilterResponse', graphql: 'MetricFilter' })
class MetricFilterOutput {
  @Out('String', { example: 'content_type' }) field: string;
  @Out(oneOf(FILTER_OPERATORS, MetricFilterOperatorEnum)) operator: FilterOperator;
  @Out('JSON', {
    example: 'promotional',
    description: 'A list for in and not_in.',
    api: {
      ...{ type: undefined, additionalProperties: undefined },
      oneOf: [...FILTER_VALUE, { type: 'array', items: { oneOf: FILTER_VALUE } }],
    },
  })
  value: MetricFilter['value'];
}

@Output({ rest: 'ReportConfigResponse', graphql: 'ReportConfig' })
class ReportConfigOutput {
  @Out(oneOf(DATA_SOURCES, ReportDataSourceEnum)) dataSource: DataSource;
  @Out(['String'], { example: ['sent', 'open_rate'] }) metrics: readonly string[];
  @Out(['String'], { example: ['date'] }) dimensions: readonly string[];
  @Out([MetricFilterOutput]) filters: readonly MetricFilterOutput[];
  @Out(oneOf(CHART_TYPES, ReportChartTypeEnum)) chartType: ChartType;
  @Out('Boolean') comparisonEnabled: boolean;
  @Out(oneOf(DATE_RANGE_PRESETS), { description: '1d, 7d, 30d, 90d, today or yesterday' })
  dateRangeDefault: string;
}

@Output({
  rest: 'ReportShareResponse',
  graphql: 'ReportShare',
  description: 'A share link, which may have expired.',
})
class ReportShareOutput {
  @Out('DateTime') expiresAt: Date;
  @Out('DateTime') createdAt: Date;
}

@Output({
  rest: 'ReportShareLinkResponse',
  graphql: 'ReportShareLink',
  description: 'A share link with its token, as returned once.',
})
export class ReportShareLinkOutput extends ReportShareOutput {
  @Out('String', { description: 'Returned only once.' }) token: string;
  @Out('String', { api: { format: 'uri' } }) url: string;
}

@Output({ rest: 'ReportResponse', graphql: 'Report' })
export class ReportOutput {
  @Out('ID') id: string;
  @Out('String', { example: 'Weekly numbers' }) name: string;
  @Out('String', { nullable: true }) description: string | null;
  @Out(oneOf(REPORT_TYPES, ReportTypeEnum)) reportType: ReportType;
  @Out(oneOf(VISIBILITIES, ReportVisibilityEnum)) visibility: Visibility;
  @Out(ReportConfigOutput) config: ReportConfigOutput;
  @Out('Boolean', { description: 'Whether the report is one of the pre-built templates.' })
  isTemplate: boolean;
  @Out('ID', {
    nullable: true,
    description: 'ID of the member. Null for template reports and reports created with an API key.',
  })
  createdBy: string | null;

  @Out('Int', { description: 'Incremented by every change, starting at 1.' }) version: number;
  @Out('DateTime', { nullable: true }) lastViewedAt: Date | null;
  @Out(ReportShareOutput, {
    nullable: true,
    description: 'The share link, which may have expired. Null if there is none.',
  })
  share: ReportShareOutput | null;

  @Out(ReportScheduleOutput, { nullable: true, inRest: { type: ReportScheduleSummaryOutput } })
  schedule: ReportScheduleOutput | null;

  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
}

export const ReportConnection = connection('Report', ReportOutput, { counted: true });
export const ReportPageOutput = restPage('ReportListResponse', 'reports', ReportOutput);

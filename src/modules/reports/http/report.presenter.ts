/** A report in REST (sections 2.8 and 4.4), and the classes that describe it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { DATE_RANGE_PRESETS } from '../../../kernel/date-range.js';
import { DATA_SOURCES, FILTER_OPERATORS, type MetricFilter } from '../../metrics/domain/metric-query.js';
import type { ReportList } from '../application/report.service.js';
import type { NewShareLink } from '../application/report-shares.service.js';
import type { ReportPage } from '../domain/report-filter.js';
import type { ReportRecord } from '../domain/report-record.js';
import { CHART_TYPES, REPORT_TYPES, VISIBILITIES } from '../domain/report.js';
import { FREQUENCIES } from '../domain/schedule.js';
import { toStoredConfig } from '../domain/stored-report.js';

const moment = { type: String, format: 'date-time', nullable: true } as const;

export class MetricFilterResponse {
  @ApiProperty({ example: 'content_type' }) field: string;
  @ApiProperty({ enum: FILTER_OPERATORS }) operator: string;
  @ApiProperty({
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } },
    ],
    example: 'promotional',
  })
  value: MetricFilter['value'];
}

export class ReportConfigResponse {
  @ApiProperty({ enum: DATA_SOURCES }) data_source: string;
  @ApiProperty({ type: [String], example: ['sent', 'open_rate'] }) metrics: readonly string[];
  @ApiProperty({ type: [String], example: ['date'] }) dimensions: readonly string[];
  @ApiProperty({ type: [MetricFilterResponse] }) filters: readonly MetricFilterResponse[];
  @ApiProperty({ enum: CHART_TYPES }) chart_type: string;
  @ApiProperty() comparison_enabled: boolean;
  @ApiProperty({ enum: DATE_RANGE_PRESETS }) date_range_default: string;
}

export class ReportShareResponse {
  @ApiProperty({ format: 'date-time' }) expires_at: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
}

/** The link itself, which is shown only once. */
export class ReportShareLinkResponse {
  @ApiProperty({ description: 'Returned only once.' }) token: string;
  @ApiProperty({ format: 'uri' }) url: string;
  @ApiProperty({ format: 'date-time' }) expires_at: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
}

export class ReportScheduleSummaryResponse {
  @ApiProperty({ enum: FREQUENCIES }) frequency: string;
  @ApiProperty() is_active: boolean;
  @ApiProperty({ format: 'date-time' }) next_send_at: string;
}

export class ReportResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Weekly numbers' }) name: string;
  @ApiProperty({ type: String, nullable: true }) description: string | null;
  @ApiProperty({ enum: REPORT_TYPES }) report_type: string;
  @ApiProperty({ enum: VISIBILITIES }) visibility: string;
  @ApiProperty({ type: ReportConfigResponse }) config: ReportConfigResponse;
  @ApiProperty({ description: 'Whether the report is one of the pre-built templates.' }) is_template: boolean;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'ID of the member. Null for template reports and reports created with an API key.',
  })
  created_by: string | null;

  @ApiProperty({ type: 'integer', description: 'Incremented by every change, starting at 1.' })
  version: number;
  @ApiProperty(moment) last_viewed_at: string | null;
  @ApiProperty({
    type: ReportShareResponse,
    nullable: true,
    description: 'The share link, which may have expired. Null if there is none.',
  })
  share: ReportShareResponse | null;

  @ApiProperty({ type: ReportScheduleSummaryResponse, nullable: true })
  schedule: ReportScheduleSummaryResponse | null;

  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

export class ReportListResponse {
  @ApiProperty({ type: [ReportResponse] }) reports: readonly ReportResponse[];
  @ApiProperty({ type: 'integer' }) total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

export function presentReport(report: ReportRecord): ReportResponse {
  const { share, schedule } = report;
  return {
    id: report.id,
    name: report.name,
    description: report.description,
    report_type: report.reportType,
    visibility: report.visibility,
    config: toStoredConfig(report.config),
    is_template: report.isTemplate,
    created_by: report.createdBy,
    version: report.version,
    last_viewed_at: report.lastViewedAt?.toISOString() ?? null,
    share: share && {
      expires_at: share.expiresAt.toISOString(),
      created_at: share.createdAt.toISOString(),
    },
    schedule: schedule && {
      frequency: schedule.frequency,
      is_active: schedule.isActive,
      next_send_at: schedule.nextSendAt.toISOString(),
    },
    created_at: report.createdAt.toISOString(),
    updated_at: report.updatedAt.toISOString(),
  };
}

export function presentReportList(
  { reports, total }: ReportList,
  { limit, offset }: ReportPage,
): ReportListResponse {
  return { reports: reports.map(presentReport), total, limit, offset };
}

export function presentShareLink({
  token,
  url,
  expiresAt,
  createdAt,
}: NewShareLink): ReportShareLinkResponse {
  return { token, url, expires_at: expiresAt.toISOString(), created_at: createdAt.toISOString() };
}

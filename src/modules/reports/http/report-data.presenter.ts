/** Report data and the available fields in REST: section 4.4. */
import { ApiProperty } from '@nestjs/swagger';
import { DATA_SOURCES, FILTER_OPERATORS } from '../../metrics/domain/metric-query.js';
import { dataSources } from '../domain/fields.js';
import { numberRow, numericValues, type FlatRow } from '../domain/flat-row.js';
import { reportMeasurements, type ReportMeasurements } from '../domain/report-measurements.js';
import { CHART_TYPES, REPORT_TYPES } from '../domain/report.js';
import type { ReportData, ReportRange } from '../domain/report-data.js';

const FORMATS = ['number', 'percent', 'hours'];
const TYPES = ['time', 'text', 'boolean'];
const NUMBERS_BY_KEY = { type: 'object', additionalProperties: { type: 'number' } } as const;
const ROWS = {
  type: 'array',
  items: { type: 'object', additionalProperties: true },
  description:
    'Dimensions and metrics by key. Flows, campaigns and templates are objects with id and name, or null if ' +
    'a message has none.',
  example: [{ date: '2026-03-01', sent: 120, open_rate: 41.67 }],
} as const;

const MEASURED = {
  type: 'object',
  nullable: true,
  properties: {
    totals: { type: 'object', additionalProperties: true },
    rows: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
  description:
    'For each metric that was measured for only some of the messages: how many were measured, out of how ' +
    'many; for the totals and each row. If `measured` is 0 and `of` is not, the value is unknown and ' +
    'returned as 0. Null if everything was measured.',
  example: {
    totals: { open_rate: { measured: 0, of: 120 } },
    rows: [{ open_rate: { measured: 0, of: 120 } }],
  },
} as const;

export class ReportRangeResponse {
  @ApiProperty({ type: String, nullable: true, description: 'Null if dates were given.' }) preset:
    string | null;
  @ApiProperty({ format: 'date-time' }) from: string;
  @ApiProperty({ format: 'date-time' }) to: string;
}

export class ReportMetricResponse {
  @ApiProperty() key: string;
  @ApiProperty() label: string;
  @ApiProperty({ enum: FORMATS }) format: string;
}

export class ReportDimensionResponse {
  @ApiProperty() key: string;
  @ApiProperty() label: string;
}

export class ReportComparisonResponse {
  @ApiProperty({ type: ReportRangeResponse }) date_range: ReportRangeResponse;
  @ApiProperty(NUMBERS_BY_KEY) totals: Readonly<Record<string, number>>;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number', nullable: true },
    description: 'Percentage change. Null if the previous value was 0, or if either value was not measured.',
  })
  change: Readonly<Record<string, number | null>>;
  @ApiProperty(ROWS) rows: readonly FlatRow[];
  @ApiProperty(MEASURED) measured: ReportMeasurements | null;
}

export class ReportDataResponse {
  @ApiProperty({ type: String, nullable: true, description: 'Null for an ad-hoc query.' }) report_id:
    string | null;
  @ApiProperty({ enum: REPORT_TYPES }) report_type: string;
  @ApiProperty({ enum: DATA_SOURCES }) data_source: string;
  @ApiProperty({ enum: CHART_TYPES }) chart_type: string;
  @ApiProperty({ type: ReportRangeResponse }) date_range: ReportRangeResponse;
  @ApiProperty({ format: 'date-time' }) generated_at: string;
  @ApiProperty({ description: 'Whether the result comes from the cache.' }) cached: boolean;
  @ApiProperty({ type: [ReportMetricResponse] }) metrics: readonly ReportMetricResponse[];
  @ApiProperty({ type: [ReportDimensionResponse] }) dimensions: readonly ReportDimensionResponse[];
  @ApiProperty(ROWS) rows: readonly FlatRow[];
  @ApiProperty({ ...NUMBERS_BY_KEY, description: 'Over all rows, including those that are not returned.' })
  totals: Readonly<Record<string, number>>;
  @ApiProperty({ type: ReportComparisonResponse, nullable: true })
  comparison: ReportComparisonResponse | null;
  @ApiProperty({ description: 'Whether there are more than the 1,000 rows returned.' }) truncated: boolean;
  @ApiProperty(MEASURED) measured: ReportMeasurements | null;
}

export class FieldMetricResponse extends ReportMetricResponse {
  @ApiProperty() description: string;
}

export class FieldDimensionResponse extends ReportDimensionResponse {
  @ApiProperty({ enum: TYPES }) type: string;
}

export class FieldFilterResponse extends FieldDimensionResponse {
  @ApiProperty({ enum: FILTER_OPERATORS, isArray: true }) operators: readonly string[];
  @ApiProperty({ required: false, description: 'All possible values, if there are few.', type: [Object] })
  values?: readonly (string | number)[];
}

export class DataSourceResponse {
  @ApiProperty({ enum: DATA_SOURCES }) key: string;
  @ApiProperty() label: string;
  @ApiProperty({ type: [FieldMetricResponse] }) metrics: readonly FieldMetricResponse[];
  @ApiProperty({ type: [FieldDimensionResponse] }) dimensions: readonly FieldDimensionResponse[];
  @ApiProperty({ type: [FieldFilterResponse] }) filters: readonly FieldFilterResponse[];
}

export class ReportFieldsResponse {
  @ApiProperty({ type: [DataSourceResponse] }) data_sources: readonly DataSourceResponse[];
}

export function presentFields(): ReportFieldsResponse {
  return { data_sources: dataSources() };
}

/** The data of a report for everyone who may see it. */
export function presentData(data: ReportData): ReportDataResponse {
  const { comparison } = data;
  return {
    report_id: data.reportId,
    report_type: data.reportType,
    data_source: data.dataSource,
    chart_type: data.chartType,
    date_range: presentRange(data.range),
    generated_at: data.generatedAt.toISOString(),
    cached: data.cached,
    metrics: data.metrics,
    dimensions: data.dimensions.map(({ key, label }) => ({ key, label })),
    rows: data.rows.map(numberRow),
    totals: numericValues(data.totals, data.measured),
    comparison: comparison && {
      date_range: presentRange(comparison.range),
      totals: numericValues(comparison.totals, comparison.measured),
      change: comparison.change,
      rows: comparison.rows.map(numberRow),
      measured: reportMeasurements(comparison),
    },
    truncated: data.truncated,
    measured: reportMeasurements(data),
  };
}

function presentRange({ preset, from, to }: ReportRange): ReportRangeResponse {
  return { preset, from: from.toISOString(), to: to.toISOString() };
}

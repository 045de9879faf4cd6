/**
 * The data of a report for a period: what the data endpoint, queries and share links return, and what pages and emails
 * draw.
 */
import type { DateRange } from '../../../kernel/date-range.js';
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { DataSource, MetricRow } from '../../metrics/domain/metric-query.js';
import type { ChartType, ReportType } from './report.js';

export type MetricFormat = 'number' | 'percent' | 'hours';
export type DimensionType = 'time' | 'text' | 'boolean';

export interface ReportMetric {
  readonly key: string;
  readonly label: string;
  readonly format: MetricFormat;
}

export interface ReportDimension {
  readonly key: string;
  readonly label: string;
  readonly type: DimensionType;
}

/** The period, and the preset that it came from; null if it was given as dates. */
export interface ReportRange extends DateRange {
  readonly preset: string | null;
}

/** The previous period of the same length. */
export interface Comparison {
  readonly range: ReportRange;
  /** Null if not measured, as everywhere here. */
  readonly totals: Readonly<Record<string, number | null>>;
  /** As `measured` of the report data. */
  readonly measured: MeasuredMetrics;
  /** Percent change of each total; null if the earlier total was 0, or was not measured. */
  readonly change: Readonly<Record<string, number | null>>;
  readonly rows: readonly MetricRow[];
}

/** A value of a metric outside its usual band. */
export interface Anomaly {
  readonly metric: string;
  /** The value of the time dimension: a date, or the first day of a week. */
  readonly at: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ReportData {
  /** Null for a query. */
  readonly reportId: string | null;
  readonly reportType: ReportType;
  readonly dataSource: DataSource;
  readonly chartType: ChartType;
  readonly range: ReportRange;
  readonly generatedAt: Date;
  readonly cached: boolean;
  readonly metrics: readonly ReportMetric[];
  readonly dimensions: readonly ReportDimension[];
  readonly rows: readonly MetricRow[];
  readonly totals: Readonly<Record<string, number | null>>;
  /** For totals that were only partly measured, how much was. */
  readonly measured: MeasuredMetrics;
  readonly comparison: Comparison | null;
  readonly truncated: boolean;
  /** Shown by GraphQL, pages and emails. */
  readonly anomalies: readonly Anomaly[];
}

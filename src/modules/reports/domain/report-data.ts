/** What a report shows of a period: the answer of its data, of a query, of its link, and what pages and mails draw. */
import type { DateRange } from '../../../kernel/date-range.js';
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { DataSource, MetricRow } from '../../metrics/domain/question.js';
import type { ChartType, ReportType } from './report.js';

export type MetricFormat = 'number' | 'percent' | 'hours';
export type DimensionType = 'time' | 'text' | 'boolean';

export interface ShownMetric {
  readonly key: string;
  readonly label: string;
  readonly format: MetricFormat;
}

export interface ShownDimension {
  readonly key: string;
  readonly label: string;
  readonly type: DimensionType;
}

/** The period, and the preset that it came of; null where it was given by dates. */
export interface ShownRange extends DateRange {
  readonly preset: string | null;
}

/** The equally long period before. */
export interface Comparison {
  readonly range: ShownRange;
  /** Null where nothing was measured, as everywhere here. */
  readonly totals: Readonly<Record<string, number | null>>;
  /** As that of the whole. */
  readonly measured: MeasuredMetrics;
  /** Percent by which a total has changed; null where it was 0, or not measured. */
  readonly change: Readonly<Record<string, number | null>>;
  readonly rows: readonly MetricRow[];
}

/** A metric of a period that lies outside of its usual band. */
export interface Anomaly {
  /** The key of the metric. */
  readonly metric: string;
  /** The value of the time dimension: a date, or the first day of a week. */
  readonly at: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ReportData {
  /** Null of a query. */
  readonly reportId: string | null;
  readonly reportType: ReportType;
  readonly dataSource: DataSource;
  readonly chartType: ChartType;
  readonly range: ShownRange;
  readonly generatedAt: Date;
  readonly cached: boolean;
  readonly metrics: readonly ShownMetric[];
  readonly dimensions: readonly ShownDimension[];
  readonly rows: readonly MetricRow[];
  readonly totals: Readonly<Record<string, number | null>>;
  /** Of totals of which not everything was measured, how much was. */
  readonly measured: MeasuredMetrics;
  readonly comparison: Comparison | null;
  readonly truncated: boolean;
  /** Shown by GraphQL, pages and mails. */
  readonly anomalies: readonly Anomaly[];
}

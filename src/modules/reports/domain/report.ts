/** A report, sections 2.8 and 3.4: a saved query with its presentation. */
import type { DataSource, MetricFilter } from '../../metrics/domain/metric-query.js';

export const REPORT_TYPES = [
  'email_performance',
  'flow_performance',
  'contact_growth',
  'deliverability',
  'engagement',
  'plan_usage',
  'funnel_analysis',
  'flow_comparison',
  'flow_group_performance',
  'custom',
] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const VISIBILITIES = ['private', 'workspace'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const CHART_TYPES = ['line', 'bar', 'area', 'pie', 'table'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** What is shown, and how. Stored after validation; a config without metrics can be saved, but not run. */
export interface ReportConfig {
  readonly dataSource: DataSource;
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly MetricFilter[];
  readonly chartType: ChartType;
  readonly comparisonEnabled: boolean;
  /** A preset. */
  readonly dateRangeDefault: string;
}

export const DEFAULT_CONFIG: ReportConfig = {
  dataSource: 'email_logs',
  metrics: [],
  dimensions: [],
  filters: [],
  chartType: 'line',
  comparisonEnabled: false,
  dateRangeDefault: '30d',
};

export interface Report {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly reportType: ReportType;
  readonly visibility: Visibility;
  readonly config: ReportConfig;
  readonly isTemplate: boolean;
  /** A member's id; null for templates, and for reports created with an API key. */
  readonly createdBy: string | null;
  readonly version: number;
  readonly lastViewedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

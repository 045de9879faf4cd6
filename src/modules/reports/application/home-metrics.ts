/** The metrics on a workspace's start page: the last thirty days, the thirty days before, and the daily series. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { readDateRange, type DateRange } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MetricQueries } from '../../metrics/application/metric-queries.js';
import { metricOf, sourceOf } from '../../metrics/domain/catalogue.js';
import type { DataSource, MetricResult } from '../../metrics/domain/metric-query.js';
import { percentOfChange } from '../domain/change.js';
import { periodBefore } from '../domain/report-period.js';
import type { MetricFormat } from '../domain/report-data.js';

export interface HomeMetric {
  readonly dataSource: DataSource;
  readonly metric: string;
  readonly label: string;
  readonly format: MetricFormat;
  /** Null if not measured. */
  readonly value: number | null;
  /**
   * Percent change from the previous thirty days; null if that value was 0, if either was not measured, and for current
   * values that do not depend on a period.
   */
  readonly change: number | null;
  /** One value per day; empty for current values. */
  readonly series: readonly { readonly date: string; readonly value: number | null }[];
}

export interface HomeMetrics {
  readonly range: DateRange;
  readonly figures: readonly HomeMetric[];
}

const PERIOD_METRICS: readonly { readonly source: DataSource; readonly metrics: readonly string[] }[] = [
  { source: 'contacts', metrics: ['total', 'created'] },
  { source: 'email_logs', metrics: ['sent', 'delivered', 'opened', 'clicked'] },
  { source: 'flow_trips', metrics: ['entered', 'completed', 'conversions'] },
];
const CURRENT_METRICS = { source: 'flows', metrics: ['active_flows'] } as const;

@Injectable()
export class HomeMetricsService {
  constructor(
    private readonly queries: MetricQueries,
    private readonly clock: Clock,
  ) {}

  /** Returns the metrics of the last thirty days in display order. */
  async of(scope: TenantScope): Promise<HomeMetrics> {
    const range = readDateRange({}, this.clock.now());
    const before = periodBefore(range);
    const periodMetrics = await Promise.all(
      PERIOD_METRICS.map(async ({ source, metrics }) => {
        const query = { source, metrics, filters: [] };
        const [now, then] = await Promise.all([
          this.queries.run(scope, { ...query, dimensions: ['date'], range }),
          this.queries.run(scope, { ...query, dimensions: [], range: before }),
        ]);
        return metrics.map((metric) => homeMetricOf(source, metric, now, then));
      }),
    );
    const current = await this.queries.run(scope, { ...CURRENT_METRICS, dimensions: [], filters: [], range });
    return {
      range,
      figures: [
        ...periodMetrics.flat(),
        {
          ...labelled(CURRENT_METRICS.source, 'active_flows'),
          value: current.totals['active_flows'] ?? 0,
          change: null,
          series: [],
        },
      ],
    };
  }
}

function homeMetricOf(
  source: DataSource,
  metric: string,
  now: MetricResult,
  before: MetricResult,
): HomeMetric {
  const value = now.totals[metric] ?? null;
  return {
    ...labelled(source, metric),
    value,
    change: percentOfChange(value, before.totals[metric] ?? null),
    series: now.rows.map(({ dimensions, metrics }) => ({
      date: dimensions['date'] as string,
      value: metrics[metric] ?? null,
    })),
  };
}

function labelled(
  dataSource: DataSource,
  metric: string,
): Pick<HomeMetric, 'dataSource' | 'metric' | 'label' | 'format'> {
  const source = sourceOf(dataSource);
  if (!source) throw new TypeError(`${dataSource} is not a data source.`);
  const { label, format } = metricOf(source, metric);
  return { dataSource, metric, label, format };
}

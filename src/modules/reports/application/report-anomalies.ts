/** Marks daily and weekly values outside the range that the preceding weeks make usual. */
import { Injectable } from '@nestjs/common';
import { EARLIEST_MOMENT } from '../../../kernel/iso-moment.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MetricQueries, MAX_ROWS } from '../../metrics/application/metric-queries.js';
import { metricOf, sourceOf } from '../../metrics/domain/catalogue.js';
import type { MetricResult, MetricQuery, MetricRow } from '../../metrics/domain/metric-query.js';
import { outliersOf, type SeriesPoint, WEEKS_BACK } from '../domain/anomalies.js';
import type { Anomaly } from '../domain/report-data.js';

const PERIOD_LENGTHS_MS: Readonly<Record<string, number>> = { date: DAY, week: 7 * DAY };
/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY = 4 * DAY;

@Injectable()
export class ReportAnomalies {
  constructor(private readonly queries: MetricQueries) {}

  /**
   * Returns the anomalies of an answer by day or week. Returns none for other answers, and if the period and the weeks
   * before it exceed the size limit of an answer. Days and weeks that lie only partly in the period are not judged.
   */
  async of(scope: TenantScope, query: MetricQuery, { rows }: MetricResult): Promise<Anomaly[]> {
    const source = sourceOf(query.source);
    const [time] = query.dimensions;
    const length = PERIOD_LENGTHS_MS[time ?? ''];
    if (!source || time === undefined || length === undefined || query.dimensions.length > 1) return [];
    // Levels drift, and counting people again is expensive, so both are skipped.
    const metrics = query.metrics.filter((key) =>
      ['count', 'balance', 'rate'].includes(metricOf(source, key).computation.kind),
    );
    const [from, end] = [query.range.from.getTime(), query.range.to.getTime() + 1];
    const start = startOf(from, length);
    const earliest = start - WEEKS_BACK * 7 * DAY;
    if (metrics.length === 0 || earliest < EARLIEST_MOMENT || (end - earliest) / length > MAX_ROWS) return [];
    // The first period of the range is read as a whole, since later periods are compared with it.
    const baseline = { from: new Date(earliest), to: new Date(start + length - 1) };
    const before = await this.queries.run(scope, { ...query, metrics, range: baseline });
    const whole = rows.filter((row) => {
      const at = momentOf(row, time);
      return at > start && at + length <= end;
    });
    const since = start === from ? start : start + length;
    return metrics.flatMap((metric) => {
      // A value that was not measured is neither usual nor unusual.
      const series = [...before.rows, ...whole].flatMap((row): SeriesPoint[] => {
        const value = row.metrics[metric] ?? null;
        return value === null ? [] : [{ at: momentOf(row, time), value }];
      });
      return outliersOf(series, since)
        .filter(({ at }) => at + length <= end)
        .map(({ at, value, low, high }) => ({
          metric,
          at: new Date(at).toISOString().slice(0, 10),
          value,
          low,
          high,
        }));
    });
  }
}

function momentOf({ dimensions }: MetricRow, time: string): number {
  return Date.parse(`${dimensions[time] as string}T00:00:00Z`);
}

/** The start of the day or week that contains a moment. */
function startOf(moment: number, length: number): number {
  const offset = length === DAY ? 0 : FIRST_MONDAY;
  return Math.floor((moment - offset) / length) * length + offset;
}

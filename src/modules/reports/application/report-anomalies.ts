/** Marks daily and weekly values outside the range that the preceding weeks make usual. */
import { Injectable } from '@nestjs/common';
import { EARLIEST } from '../../../kernel/iso-moment.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MetricQueries, MOST_ROWS } from '../../metrics/application/metric-queries.js';
import { metricOf, sourceOf } from '../../metrics/domain/catalogue.js';
import type { MetricAnswer, MetricQuestion, MetricRow } from '../../metrics/domain/question.js';
import { outliersOf, type SeriesPoint, WEEKS_BACK } from '../domain/anomalies.js';
import type { Anomaly } from '../domain/report-data.js';

const LENGTHS: Readonly<Record<string, number>> = { date: DAY, week: 7 * DAY };
/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY = 4 * DAY;

@Injectable()
export class ReportAnomalies {
  constructor(private readonly queries: MetricQueries) {}

  /**
   * Returns the anomalies of an answer by day or week. Returns none for other answers, and if the period and the weeks
   * before it exceed the size limit of an answer. Days and weeks that lie only partly in the period are not judged.
   */
  async of(scope: TenantScope, question: MetricQuestion, { rows }: MetricAnswer): Promise<Anomaly[]> {
    const source = sourceOf(question.source);
    const [time] = question.dimensions;
    const length = LENGTHS[time ?? ''];
    if (!source || time === undefined || length === undefined || question.dimensions.length > 1) return [];
    // Levels drift, and counting people again is expensive, so both are skipped.
    const metrics = question.metrics.filter((key) =>
      ['count', 'balance', 'rate'].includes(metricOf(source, key).computation.kind),
    );
    const [from, end] = [question.range.from.getTime(), question.range.to.getTime() + 1];
    const start = startOf(from, length);
    const earliest = start - WEEKS_BACK * 7 * DAY;
    if (metrics.length === 0 || earliest < EARLIEST || (end - earliest) / length > MOST_ROWS) return [];
    // The first period of the range is read as a whole, since later periods are compared with it.
    const past = { from: new Date(earliest), to: new Date(start + length - 1) };
    const before = await this.queries.ask(scope, { ...question, metrics, range: past });
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

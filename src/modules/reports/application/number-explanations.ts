/** Explains a number of a report: its definition, the counters behind it, and some of the rows. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MetricQueries } from '../../metrics/application/metric-queries.js';
import { countIn, countsOf, metricOf } from '../../metrics/domain/catalogue.js';
import { askedRange, type DataRequest } from '../domain/data-request.js';
import { type Explanation, filterWords, formulaOf } from '../domain/explanation.js';
import type { ReportConfig } from '../domain/report.js';
import { readRowValues } from '../domain/row-values.js';
import { questionOf } from './report-data.service.js';

export interface AskedNumber extends DataRequest {
  /** The key of a metric in the config. */
  readonly metric: string;
  /** The dimension values of its row, unvalidated; absent for a total. */
  readonly row?: unknown;
}

/** Decides how fields that contain personal data are shown; null hides the value. */
export type Shown = (field: 'to_email' | 'external_id', value: string) => string | null;

@Injectable()
export class NumberExplanations {
  constructor(
    private readonly queries: MetricQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Explains a number.
   * @param shown applies the caller's permissions to addresses and names.
   * @throws DomainError invalid_field for a metric that is not in the config, and for an invalid row; as
   *   `ReportDataService`.
   */
  async explain(
    scope: TenantScope,
    config: ReportConfig,
    asked: AskedNumber,
    shown: Shown,
  ): Promise<Explanation> {
    const { range } = askedRange(asked, config.dateRangeDefault, this.clock.now());
    const { source, question } = questionOf(config, range);
    if (!question.metrics.includes(asked.metric))
      throw invalidFields([{ field: 'metric', message: `must be one of ${question.metrics.join(', ')}` }]);
    const read = readRowValues(source, question.dimensions, asked.row);
    if ('errors' in read) throw invalidFields(read.errors);
    const { row } = read;
    const metric = metricOf(source, asked.metric);
    const counts = [...new Set(countsOf(source, [metric.key]).map((name) => countIn(name).key))];
    const keys = [...new Set([...counts, metric.key])];
    const totals = await this.queries.askOfCell(scope, { ...question, metrics: keys }, row);
    const sample = await this.queries.sample(scope, question, metric.key, row);
    return {
      metric,
      value: totals[metric.key] ?? null,
      formula: formulaOf(source, metric),
      counters: counts.map((key) => ({ key, label: metricOf(source, key).label, value: totals[key] ?? 0 })),
      filter: filterWords(source, question.filters, row),
      range: question.range,
      sample: sample.map(({ id, at, details }) => ({ id, at, fields: fieldsFor(details, shown) })),
    };
  }
}

const PERSONAL = ['to_email', 'external_id'] as const;

function fieldsFor(details: Readonly<Record<string, unknown>>, shown: Shown): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...details };
  for (const name of PERSONAL) {
    const value = details[name];
    if (typeof value === 'string') fields[name] = shown(name, value);
  }
  return fields;
}

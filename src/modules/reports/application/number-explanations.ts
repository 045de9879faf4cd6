/** Explains a number of a report: its definition, the counters behind it, and some of the rows. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MetricQueries } from '../../metrics/application/metric-queries.js';
import { parseCount, countsOf, metricOf } from '../../metrics/domain/catalogue.js';
import { resolveRange, type DataRequest } from '../domain/data-request.js';
import { type Explanation, formatFilters, formulaOf } from '../domain/explanation.js';
import type { ReportConfig } from '../domain/report.js';
import { readRowValues } from '../domain/row-values.js';
import { queryOf } from './report-data.service.js';

export interface NumberRequest extends DataRequest {
  /** The key of a metric in the config. */
  readonly metric: string;
  /** The dimension values of its row, unvalidated; absent for a total. */
  readonly row?: unknown;
}

/** Decides how fields that contain personal data are shown; null hides the value. */
export type FieldRenderer = (field: 'to_email' | 'external_id', value: string) => string | null;

@Injectable()
export class NumberExplanations {
  constructor(
    private readonly queries: MetricQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Explains a number.
   * @param renderField applies the caller's permissions to addresses and names.
   * @throws DomainError invalid_field for a metric that is not in the config, and for an invalid row; as
   *   `ReportDataService`.
   */
  async explain(
    scope: TenantScope,
    config: ReportConfig,
    request: NumberRequest,
    renderField: FieldRenderer,
  ): Promise<Explanation> {
    const { range } = resolveRange(request, config.dateRangeDefault, this.clock.now());
    const { source, query } = queryOf(config, range);
    if (!query.metrics.includes(request.metric))
      throw invalidFields([{ field: 'metric', message: `must be one of ${query.metrics.join(', ')}` }]);
    const parsed = readRowValues(source, query.dimensions, request.row);
    if ('errors' in parsed) throw invalidFields(parsed.errors);
    const { row } = parsed;
    const metric = metricOf(source, request.metric);
    const counts = [...new Set(countsOf(source, [metric.key]).map((name) => parseCount(name).key))];
    const keys = [...new Set([...counts, metric.key])];
    const totals = await this.queries.runForCell(scope, { ...query, metrics: keys }, row);
    const sample = await this.queries.sample(scope, query, metric.key, row);
    return {
      metric,
      value: totals[metric.key] ?? null,
      formula: formulaOf(source, metric),
      counters: counts.map((key) => ({ key, label: metricOf(source, key).label, value: totals[key] ?? 0 })),
      filter: formatFilters(source, query.filters, row),
      range: query.range,
      sample: sample.map(({ id, at, details }) => ({ id, at, fields: fieldsFor(details, renderField) })),
    };
  }
}

const PERSONAL_FIELDS = ['to_email', 'external_id'] as const;

function fieldsFor(
  details: Readonly<Record<string, unknown>>,
  renderField: FieldRenderer,
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...details };
  for (const name of PERSONAL_FIELDS) {
    const value = details[name];
    if (typeof value === 'string') fields[name] = renderField(name, value);
  }
  return fields;
}

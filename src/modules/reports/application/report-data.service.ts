/** The data of reports, section 4.4: of a saved report, an ad hoc query, and a file. */
import { Injectable } from '@nestjs/common';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Clock } from '../../../kernel/clock.js';
import { DEFAULT_DATE_RANGE } from '../../../kernel/date-range.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { MetricQueries } from '../../metrics/application/metric-queries.js';
import { dimensionOf, metricOf, sourceOf } from '../../metrics/domain/catalogue.js';
import type { Source } from '../../metrics/domain/catalogue/source.js';
import type { MetricQuery } from '../../metrics/domain/metric-query.js';
import { changeOf } from '../domain/change.js';
import { runErrors } from '../domain/config-errors.js';
import { csvLine, fileNameOf } from '../domain/csv-file.js';
import { resolveRange, type DataRequest } from '../domain/data-request.js';
import { periodBefore } from '../domain/report-period.js';
import type { Report, ReportConfig } from '../domain/report.js';
import type { Comparison, ReportData, ReportRange } from '../domain/report-data.js';
import { ReportAnomalies } from './report-anomalies.js';
import { ReportCache } from './report-cache.js';

export interface ReportFile {
  readonly name: string;
  readonly content: Readable;
}

/** What the data belongs to, besides its config. */
type Subject = Pick<ReportData, 'reportId' | 'reportType'>;

@Injectable()
export class ReportDataService {
  constructor(
    private readonly queries: MetricQueries,
    private readonly anomalies: ReportAnomalies,
    private readonly cache: ReportCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the data of a report, cached for five minutes per period.
   * @throws DomainError invalid_field for an unknown preset, or a config that cannot be run; invalid_date_param.
   */
  async ofReport(scope: TenantScope, report: Report, request: DataRequest): Promise<ReportData> {
    const { id, version, reportType, config } = report;
    const { range, cacheKey } = resolveRange(request, config.dateRangeDefault, this.clock.now());
    const isCompared = request.compare ?? config.comparisonEnabled;
    const key = `${id} ${version} ${cacheKey} ${isCompared}`;
    const cached = this.cache.find(scope, key);
    if (cached) return { ...cached, cached: true };
    const data = await this.dataOf(scope, { reportId: id, reportType }, config, range, isCompared);
    this.cache.store(scope, key, data);
    return data;
  }

  /**
   * Returns the data of a config that is not saved; never cached.
   * @throws DomainError as `ofReport`.
   */
  async query(scope: TenantScope, config: ReportConfig, request: DataRequest): Promise<ReportData> {
    const { range } = resolveRange(request, DEFAULT_DATE_RANGE, this.clock.now());
    const isCompared = request.compare ?? config.comparisonEnabled;
    return this.dataOf(scope, { reportId: null, reportType: 'custom' }, config, range, isCompared);
  }

  /**
   * Streams all rows of a report as a CSV file with a header.
   * @throws DomainError as `ofReport`; work_too_costly; service_unavailable while the maximum number of files is being
   *   read.
   */
  async csv(scope: TenantScope, { name, config }: Report, request: DataRequest): Promise<ReportFile> {
    const { range } = resolveRange(request, config.dateRangeDefault, this.clock.now());
    const { source, query } = queryOf(config, range);
    const labels = [
      ...query.dimensions.map((key) => dimensionOf(source, key).label),
      ...query.metrics.map((key) => metricOf(source, key).label),
    ];
    const rows = await this.queries.file(scope, query);
    // An error reaches the reader of the file; a reader that stops cancels the query.
    const content = pipeline(rows, withHeader(csvLine(labels)), () => undefined);
    return { name: fileNameOf(name, range), content };
  }

  private async dataOf(
    scope: TenantScope,
    subject: Subject,
    config: ReportConfig,
    range: ReportRange,
    isCompared: boolean,
  ): Promise<ReportData> {
    const { source, query } = queryOf(config, range);
    const generatedAt = this.clock.now();
    const result = await this.queries.run(scope, query);
    return {
      ...subject,
      dataSource: config.dataSource,
      chartType: config.chartType,
      range,
      generatedAt,
      cached: false,
      metrics: query.metrics.map((key) => {
        const { label, format } = metricOf(source, key);
        return { key, label, format };
      }),
      dimensions: query.dimensions.map((key) => {
        const { label, type } = dimensionOf(source, key);
        return { key, label, type };
      }),
      ...result,
      comparison: isCompared ? await this.comparisonOf(scope, query, result.totals) : null,
      anomalies: await this.anomalies.of(scope, query, result),
    };
  }

  private async comparisonOf(
    scope: TenantScope,
    query: MetricQuery,
    totals: ReportData['totals'],
  ): Promise<Comparison> {
    const range = { ...periodBefore(query.range), preset: null };
    const before = await this.queries.run(scope, { ...query, range });
    const { rows, measured } = before;
    return { range, totals: before.totals, measured, rows, change: changeOf(totals, before.totals) };
  }
}

/**
 * Emits the header with the first data, or at the end of an empty result: until then, an error can still become an HTTP
 * error.
 */
function withHeader(line: string): Transform {
  let hasStarted = false;
  return new Transform({
    transform(chunk, _, done) {
      if (!hasStarted) this.push(line);
      hasStarted = true;
      done(null, chunk);
    },
    flush(done) {
      done(null, hasStarted ? undefined : line);
    },
  });
}

/**
 * Translates a config and a period into a query.
 * @throws DomainError invalid_field.
 */
export function queryOf(
  config: ReportConfig,
  range: ReportRange,
): { readonly source: Source; readonly query: MetricQuery } {
  const errors = runErrors(config);
  const source = sourceOf(config.dataSource);
  if (errors.length > 0 || !source) throw invalidFields(errors);
  const { metrics, dimensions, filters } = config;
  const { from, to } = range;
  return {
    source,
    query: { source: config.dataSource, metrics, dimensions, filters, range: { from, to } },
  };
}

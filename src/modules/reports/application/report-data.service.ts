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
import type { MetricQuestion } from '../../metrics/domain/question.js';
import { changeOf } from '../domain/change.js';
import { runErrors } from '../domain/config-errors.js';
import { csvLine, fileNameOf } from '../domain/csv-file.js';
import { askedRange, type DataRequest } from '../domain/data-request.js';
import { periodBefore } from '../domain/report-period.js';
import type { Report, ReportConfig } from '../domain/report.js';
import type { Comparison, ReportData, ShownRange } from '../domain/report-data.js';
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
  async ofReport(scope: TenantScope, report: Report, asked: DataRequest): Promise<ReportData> {
    const { id, version, reportType, config } = report;
    const { range, name } = askedRange(asked, config.dateRangeDefault, this.clock.now());
    const compares = asked.compare ?? config.comparisonEnabled;
    const key = `${id} ${version} ${name} ${compares}`;
    const kept = this.cache.find(scope, key);
    if (kept) return { ...kept, cached: true };
    const data = await this.dataOf(scope, { reportId: id, reportType }, config, range, compares);
    this.cache.keep(scope, key, data);
    return data;
  }

  /**
   * Returns the data of a config that is not saved; never cached.
   * @throws DomainError as `ofReport`.
   */
  async query(scope: TenantScope, config: ReportConfig, asked: DataRequest): Promise<ReportData> {
    const { range } = askedRange(asked, DEFAULT_DATE_RANGE, this.clock.now());
    const compares = asked.compare ?? config.comparisonEnabled;
    return this.dataOf(scope, { reportId: null, reportType: 'custom' }, config, range, compares);
  }

  /**
   * Streams all rows of a report as a CSV file with a header.
   * @throws DomainError as `ofReport`; work_too_costly; service_unavailable while the maximum number of files is being
   *   read.
   */
  async csv(scope: TenantScope, { name, config }: Report, asked: DataRequest): Promise<ReportFile> {
    const { range } = askedRange(asked, config.dateRangeDefault, this.clock.now());
    const { source, question } = questionOf(config, range);
    const labels = [
      ...question.dimensions.map((key) => dimensionOf(source, key).label),
      ...question.metrics.map((key) => metricOf(source, key).label),
    ];
    const rows = await this.queries.file(scope, question);
    // An error reaches the reader of the file; a reader that stops cancels the query.
    const content = pipeline(rows, withHeader(csvLine(labels)), () => undefined);
    return { name: fileNameOf(name, range), content };
  }

  private async dataOf(
    scope: TenantScope,
    subject: Subject,
    config: ReportConfig,
    range: ShownRange,
    compares: boolean,
  ): Promise<ReportData> {
    const { source, question } = questionOf(config, range);
    const generatedAt = this.clock.now();
    const answer = await this.queries.ask(scope, question);
    return {
      ...subject,
      dataSource: config.dataSource,
      chartType: config.chartType,
      range,
      generatedAt,
      cached: false,
      metrics: question.metrics.map((key) => {
        const { label, format } = metricOf(source, key);
        return { key, label, format };
      }),
      dimensions: question.dimensions.map((key) => {
        const { label, type } = dimensionOf(source, key);
        return { key, label, type };
      }),
      ...answer,
      comparison: compares ? await this.before(scope, question, answer.totals) : null,
      anomalies: await this.anomalies.of(scope, question, answer),
    };
  }

  private async before(
    scope: TenantScope,
    question: MetricQuestion,
    totals: ReportData['totals'],
  ): Promise<Comparison> {
    const range = { ...periodBefore(question.range), preset: null };
    const before = await this.queries.ask(scope, { ...question, range });
    const { rows, measured } = before;
    return { range, totals: before.totals, measured, rows, change: changeOf(totals, before.totals) };
  }
}

/**
 * Emits the header with the first data, or at the end of an empty result: until then, an error can still become an HTTP
 * error.
 */
function withHeader(line: string): Transform {
  let isBegun = false;
  return new Transform({
    transform(chunk, _, done) {
      if (!isBegun) this.push(line);
      isBegun = true;
      done(null, chunk);
    },
    flush(done) {
      done(null, isBegun ? undefined : line);
    },
  });
}

/**
 * Translates a config and a period into a query.
 * @throws DomainError invalid_field.
 */
export function questionOf(
  config: ReportConfig,
  range: ShownRange,
): { readonly source: Source; readonly question: MetricQuestion } {
  const errors = runErrors(config);
  const source = sourceOf(config.dataSource);
  if (errors.length > 0 || !source) throw invalidFields(errors);
  const { metrics, dimensions, filters } = config;
  const { from, to } = range;
  return {
    source,
    question: { source: config.dataSource, metrics, dimensions, filters, range: { from, to } },
  };
}

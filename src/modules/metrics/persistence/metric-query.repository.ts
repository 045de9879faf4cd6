/** Runs metric queries in the database, and converts their rows to answers. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import { dimensionOf, sourceOf } from '../domain/catalogue.js';
import type { Dimension, Source } from '../domain/catalogue/source.js';
import { computeMetrics, measurementsOf } from '../domain/compute-metrics.js';
import type { DimensionValue, MetricResult, MetricQuery, MetricRow } from '../domain/metric-query.js';
import { MAX_FILE_PERIODS, maxPeriodsOf } from '../domain/max-periods.js';
import { rejectIfTooCostly } from './reject-if-too-costly.js';
import { answerSql, type Cell, fileSizeSql, fileSql, sampleSql } from './sql/metric-sql.js';

/** A row that a number counts. */
export interface SampleRow {
  readonly id: string;
  /** Null for current values, such as those of a flow. */
  readonly at: Date | null;
  /** By column name. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** How to make a query faster. */
const COST_ADVICE = 'use a shorter period, or fewer metrics and dimensions';

type ResultRow = Readonly<Record<string, string | number | null>>;

@Injectable()
export class MetricQueryRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /**
   * Returns an answer of at most `maxRows` rows.
   * @param cell restricts the answer to one cell of another answer.
   * @throws DomainError work_too_costly.
   */
  async run(scope: TenantScope, query: MetricQuery, maxRows: number, cell?: Cell): Promise<MetricResult> {
    const source = sourceIn(query);
    // One extra row shows whether the answer is truncated.
    const { sql, values } = answerSql(query, maxRows + 1, cell);
    const result = await rejectIfTooCostly(this.reader.query<ResultRow>(scope, sql, values), COST_ADVICE);
    const [total = {}, ...rows] = result;
    if (total['refused'] === 1) throw tooManyRows();
    const counts = countsIn(total);
    const totals = computeMetrics(source, query.metrics, counts);
    const measured = measurementsOf(source, query.metrics, counts);
    if (query.dimensions.length === 0)
      return { rows: [{ dimensions: {}, metrics: totals, measured }], totals, measured, truncated: false };
    return {
      rows: rows.slice(0, maxRows).map((row) => rowOf(source, query, row)),
      totals,
      measured,
      truncated: rows.length > maxRows,
    };
  }

  /**
   * Streams all rows as CSV, without a header.
   * @throws DomainError work_too_costly.
   */
  async file(scope: TenantScope, query: MetricQuery): Promise<Readable> {
    if (maxPeriodsOf(query) > MAX_FILE_PERIODS)
      throw new DomainError(
        'work_too_costly',
        `A file can contain at most ${MAX_FILE_PERIODS} periods: use a shorter range, or days instead of hours.`,
      );
    const size = fileSizeSql(query);
    if (size) {
      const [row] = await rejectIfTooCostly(
        this.reader.query<ResultRow>(scope, size.sql, size.values),
        COST_ADVICE,
      );
      if (row?.['refused'] === 1) throw tooManyRows();
    }
    const { sql, values } = fileSql(query);
    return this.reader.copy(scope, sql, values, 'FORMAT csv');
  }

  /** Returns some of the rows behind a number. */
  async sample(
    scope: TenantScope,
    query: MetricQuery,
    metric: string,
    cell: Cell,
    maxRows: number,
  ): Promise<SampleRow[]> {
    const { sql, values } = sampleSql(query, metric, cell, maxRows);
    return rejectIfTooCostly(this.reader.query<SampleRow>(scope, sql, values), COST_ADVICE);
  }
}

function tooManyRows(): DomainError {
  return new DomainError('work_too_costly', `This has too many rows to sort: ${COST_ADVICE}.`);
}

function sourceIn({ source: key }: MetricQuery): Source {
  const source = sourceOf(key);
  if (!source) throw new TypeError(`${key} is not a data source.`);
  return source;
}

/** Maps the `m_` columns to metric keys. */
function countsIn(row: ResultRow): Record<string, number> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith('m_') ? [[name.slice(2), Number(value)]] : [],
    ),
  );
}

function rowOf(source: Source, { metrics, dimensions }: MetricQuery, row: ResultRow): MetricRow {
  const counts = countsIn(row);
  return {
    dimensions: Object.fromEntries(
      dimensions.map((key, index) => [
        key,
        valueOf(dimensionOf(source, key), row[`d${index}`] ?? null, row[`i${index}`] ?? null),
      ]),
    ),
    metrics: computeMetrics(source, metrics, counts),
    measured: measurementsOf(source, metrics, counts),
  };
}

function valueOf(
  { valueKind }: Dimension,
  value: string | number | null,
  id: string | number | null,
): DimensionValue {
  if (value === null) return null;
  if (valueKind === 'id') return { id: id === null ? null : String(id), name: String(value) };
  return valueKind === 'integer' ? Number(value) : value;
}

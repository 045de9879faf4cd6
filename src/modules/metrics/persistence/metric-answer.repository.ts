/** Runs metric queries in the database, and converts their rows to answers. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { Survey } from '../../../platform/database/survey.js';
import { dimensionOf, sourceOf } from '../domain/catalogue.js';
import type { Dimension, Source } from '../domain/catalogue/source.js';
import { figuresOf, measuredOf } from '../domain/figures.js';
import type { DimensionValue, MetricAnswer, MetricQuestion, MetricRow } from '../domain/question.js';
import { MOST_PERIODS, periodsOf } from '../domain/period-count.js';
import { inTime } from './in-time.js';
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
const LESS = 'use a shorter period, or fewer metrics and dimensions';

type Found = Readonly<Record<string, string | number | null>>;

@Injectable()
export class MetricAnswerRepository {
  constructor(private readonly survey: Survey) {}

  /**
   * Returns an answer of at most `most` rows.
   * @param cell restricts the answer to one cell of another answer.
   * @throws DomainError work_too_costly.
   */
  async answer(
    scope: TenantScope,
    question: MetricQuestion,
    most: number,
    cell?: Cell,
  ): Promise<MetricAnswer> {
    const source = sourceIn(question);
    // One extra row shows whether the answer is truncated.
    const { sql, values } = answerSql(question, most + 1, cell);
    const found = await inTime(this.survey.query<Found>(scope, sql, values), LESS);
    const [total = {}, ...rows] = found;
    if (total['refused'] === 1) throw tooManyRows();
    const counts = countsIn(total);
    const totals = figuresOf(source, question.metrics, counts);
    const measured = measuredOf(source, question.metrics, counts);
    if (question.dimensions.length === 0)
      return { rows: [{ dimensions: {}, metrics: totals, measured }], totals, measured, truncated: false };
    return {
      rows: rows.slice(0, most).map((row) => rowOf(source, question, row)),
      totals,
      measured,
      truncated: rows.length > most,
    };
  }

  /**
   * Streams all rows as CSV, without a header.
   * @throws DomainError work_too_costly.
   */
  async file(scope: TenantScope, question: MetricQuestion): Promise<Readable> {
    if (periodsOf(question) > MOST_PERIODS)
      throw new DomainError(
        'work_too_costly',
        `A file can contain at most ${MOST_PERIODS} periods: use a shorter range, or days instead of hours.`,
      );
    const size = fileSizeSql(question);
    if (size) {
      const [row] = await inTime(this.survey.query<Found>(scope, size.sql, size.values), LESS);
      if (row?.['refused'] === 1) throw tooManyRows();
    }
    const { sql, values } = fileSql(question);
    return this.survey.copy(scope, sql, values, 'FORMAT csv');
  }

  /** Returns some of the rows behind a number. */
  async sample(
    scope: TenantScope,
    question: MetricQuestion,
    metric: string,
    cell: Cell,
    most: number,
  ): Promise<SampleRow[]> {
    const { sql, values } = sampleSql(question, metric, cell, most);
    return inTime(this.survey.query<SampleRow>(scope, sql, values), LESS);
  }
}

function tooManyRows(): DomainError {
  return new DomainError('work_too_costly', `This has too many rows to sort: ${LESS}.`);
}

function sourceIn({ source: key }: MetricQuestion): Source {
  const source = sourceOf(key);
  if (!source) throw new TypeError(`${key} is not a data source.`);
  return source;
}

/** Maps the `m_` columns to metric keys. */
function countsIn(found: Found): Record<string, number> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) =>
      name.startsWith('m_') ? [[name.slice(2), Number(value)]] : [],
    ),
  );
}

function rowOf(source: Source, { metrics, dimensions }: MetricQuestion, found: Found): MetricRow {
  const counts = countsIn(found);
  return {
    dimensions: Object.fromEntries(
      dimensions.map((key, index) => [
        key,
        valueOf(dimensionOf(source, key), found[`d${index}`] ?? null, found[`i${index}`] ?? null),
      ]),
    ),
    metrics: figuresOf(source, metrics, counts),
    measured: measuredOf(source, metrics, counts),
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

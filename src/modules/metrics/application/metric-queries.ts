/** Answers metric queries for reports, analyses and the start page: one engine, so that all pages agree. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { DimensionValue, MetricResult, MetricQuery } from '../domain/metric-query.js';
import { MetricQueryRepository } from '../persistence/metric-query.repository.js';
import { CostlyQueryCache } from './costly-query-cache.js';

/** Maximum number of rows in an answer, section 4.4. Totals always cover everything. */
export const MAX_ROWS = 1_000;
/** Maximum number of sample rows behind a number. */
export const MAX_SAMPLE_ROWS = 20;

/** A row that a number counts. */
export interface CountedRow {
  readonly id: string;
  /** Null for current values that do not depend on a period. */
  readonly at: Date | null;
  readonly details: Readonly<Record<string, unknown>>;
}

@Injectable()
export class MetricQueries {
  constructor(
    private readonly repository: MetricQueryRepository,
    private readonly costlyQueries: CostlyQueryCache,
  ) {}

  /**
   * Answers a validated query.
   * @throws DomainError work_too_costly; service_unavailable if other queries of the workspace keep this one from
   *   starting in time.
   */
  async run(scope: TenantScope, query: MetricQuery): Promise<MetricResult> {
    return this.costlyQueries.run(scope, query, () => this.repository.run(scope, query, MAX_ROWS));
  }

  /**
   * Streams all rows as CSV without a header.
   * @throws DomainError work_too_costly; service_unavailable while the maximum number of files is being read.
   */
  async file(scope: TenantScope, query: MetricQuery): Promise<Readable> {
    return this.costlyQueries.run(scope, { file: query }, () => this.repository.file(scope, query));
  }

  /** Returns the totals of one cell of an answer, given by the values of its dimensions. */
  async runForCell(
    scope: TenantScope,
    query: MetricQuery,
    cell: Readonly<Record<string, DimensionValue>>,
  ): Promise<Readonly<Record<string, number | null>>> {
    const total = { ...query, dimensions: [] };
    const { totals } = await this.costlyQueries.run(scope, { total, cell }, () =>
      this.repository.run(scope, total, 1, cell),
    );
    return totals;
  }

  /** Returns up to 20 of the rows that a metric of one cell counts, in no particular choice, sorted latest first. */
  async sample(
    scope: TenantScope,
    query: MetricQuery,
    metric: string,
    cell: Readonly<Record<string, DimensionValue>>,
  ): Promise<CountedRow[]> {
    const rows = await this.costlyQueries.run(scope, { question: query, metric, cell }, () =>
      this.repository.sample(scope, query, metric, cell, MAX_SAMPLE_ROWS),
    );
    return [...rows].sort((one, other) => (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0));
  }
}

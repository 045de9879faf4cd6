/** Answers metric queries for reports, analyses and the start page: one engine, so that all pages agree. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { DimensionValue, MetricAnswer, MetricQuestion } from '../domain/question.js';
import { MetricAnswerRepository } from '../persistence/metric-answer.repository.js';
import { RefusedQuestions } from './refused-questions.js';

/** Maximum number of rows in an answer, section 4.4. Totals always cover everything. */
export const MOST_ROWS = 1_000;
/** Maximum number of sample rows behind a number. */
export const MOST_SAMPLES = 20;

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
    private readonly answers: MetricAnswerRepository,
    private readonly refused: RefusedQuestions,
  ) {}

  /**
   * Answers a validated query.
   * @throws DomainError work_too_costly; service_unavailable if other queries of the workspace keep this one from
   *   starting in time.
   */
  async ask(scope: TenantScope, question: MetricQuestion): Promise<MetricAnswer> {
    return this.refused.ask(scope, question, () => this.answers.answer(scope, question, MOST_ROWS));
  }

  /**
   * Streams all rows as CSV without a header.
   * @throws DomainError work_too_costly; service_unavailable while the maximum number of files is being read.
   */
  async file(scope: TenantScope, question: MetricQuestion): Promise<Readable> {
    return this.refused.ask(scope, { file: question }, () => this.answers.file(scope, question));
  }

  /** Returns the totals of one cell of an answer, given by the values of its dimensions. */
  async askOfCell(
    scope: TenantScope,
    question: MetricQuestion,
    cell: Readonly<Record<string, DimensionValue>>,
  ): Promise<Readonly<Record<string, number | null>>> {
    const total = { ...question, dimensions: [] };
    const { totals } = await this.refused.ask(scope, { total, cell }, () =>
      this.answers.answer(scope, total, 1, cell),
    );
    return totals;
  }

  /** Returns up to 20 of the rows that a metric of one cell counts, in no particular choice, sorted latest first. */
  async sample(
    scope: TenantScope,
    question: MetricQuestion,
    metric: string,
    cell: Readonly<Record<string, DimensionValue>>,
  ): Promise<CountedRow[]> {
    const rows = await this.refused.ask(scope, { question, metric, cell }, () =>
      this.answers.sample(scope, question, metric, cell, MOST_SAMPLES),
    );
    return [...rows].sort((one, other) => (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0));
  }
}

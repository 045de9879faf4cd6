/** Answers questions about figures, for reports, analyses and the home page: one engine, so that no two pages disagree. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { DimensionValue, MetricAnswer, MetricQuestion } from '../domain/question.js';
import { MetricAnswerRepository } from '../persistence/metric-answer.repository.js';
import { RefusedQuestions } from './refused-questions.js';

/** Rows of an answer, section 4.4; totals are those of everything. */
export const MOST_ROWS = 1_000;
/** Rows that are shown of those behind a number. */
export const MOST_SAMPLES = 20;

/** A row that a number was counted of. */
export interface CountedRow {
  readonly id: string;
  /** Null of what is so now, whatever the period. */
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
   * The answer to a question that was checked before.
   * @throws DomainError work_too_costly; service_unavailable when the workspace asks so much that its turn does not come.
   */
  async ask(scope: TenantScope, question: MetricQuestion): Promise<MetricAnswer> {
    return this.refused.ask(scope, question, () => this.answers.answer(scope, question, MOST_ROWS));
  }

  /**
   * All rows as CSV without a header, written while they are read.
   * @throws DomainError work_too_costly; service_unavailable while as many files are read as may be.
   */
  async file(scope: TenantScope, question: MetricQuestion): Promise<Readable> {
    return this.refused.ask(scope, { file: question }, () => this.answers.file(scope, question));
  }

  /** The totals of one cell of an answer, by the values of its dimensions. */
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

  /** Some of the rows that a metric of one cell was counted of, the latest first. */
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

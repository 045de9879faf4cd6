/** Cohorts of a range: who started in which period, and how many of them were active again. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  cohortStarts,
  cohortTable,
  isKept,
  periodsLater,
  periodStart,
  writtenDay,
  type Cohort,
  type CohortCell,
  type CohortPeriod,
  type CohortQuestion,
} from '../domain/cohort.js';
import type { Span } from '../domain/rollup.js';
import { CohortRepository } from '../persistence/cohort.repository.js';
import { PeriodSums } from './period-sums.js';
import { RefusedQuestions } from './refused-questions.js';

interface Counted {
  readonly sizes: ReadonlyMap<string, number>;
  readonly cells: readonly CohortCell[];
}

@Injectable()
export class Cohorts {
  constructor(
    private readonly cohorts: CohortRepository,
    private readonly sums: PeriodSums,
    private readonly refused: RefusedQuestions,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns one cohort per period that the range touches, earliest first, including empty ones.
   * @throws DomainError invalid_field if the range has too many periods; work_too_costly if there is too much to count;
   *   service_unavailable as Survey.query.
   */
  async of(scope: TenantScope, question: CohortQuestion): Promise<Cohort[]> {
    const now = this.clock.now();
    const starts = cohortStarts(question.period, question.range);
    const [from, last] = [starts[0], starts.at(-1)];
    if (!from || !last) return [];
    const { period, periods } = question;
    const end = periodsLater(period, last, periods);
    const present = periodsLater(period, periodStart(period, now), 1);
    const days = { from, until: end < present ? end : present };
    const { sizes, cells } = await this.refused.ask(scope, { cohorts: question }, () =>
      isKept(question) ? this.created(scope, question, days) : this.ofMembers(scope, question, days),
    );
    return cohortTable(question, starts, sizes, cells, now);
  }

  private async created(scope: TenantScope, question: CohortQuestion, days: Span): Promise<Counted> {
    // Read in this order: contacts are only ever added, so every active contact is also counted in its cohort.
    const cells = await this.cohorts.createdAndActive(scope, question, days);
    const created = await this.sums.contactsCreated(scope, question.range);
    return { sizes: byPeriod(question.period, created), cells };
  }

  private async ofMembers(scope: TenantScope, question: CohortQuestion, days: Span): Promise<Counted> {
    const counted = await this.cohorts.ofMembers(scope, question, days);
    const sizes = new Map<string, number>();
    const cells: CohortCell[] = [];
    for (const { cohort, active, people } of counted)
      if (active === null) sizes.set(cohort, people);
      else cells.push({ cohort, active, people });
    return { sizes, cells };
  }
}

/** Adds daily counts up by the first day of their period. */
function byPeriod(period: CohortPeriod, days: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [day, count] of days) {
    const start = writtenDay(periodStart(period, new Date(`${day}T00:00:00.000Z`)));
    sums.set(start, (sums.get(start) ?? 0) + count);
  }
  return sums;
}

/** Cohorts of a range: who started in which period, and how many of them were active again. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  cohortStarts,
  cohortTable,
  isInActivityTable,
  addPeriods,
  periodStart,
  formatDay,
  type Cohort,
  type CohortCell,
  type CohortPeriod,
  type CohortQuery,
} from '../domain/cohort.js';
import type { Span } from '../domain/rollup.js';
import { CohortRepository } from '../persistence/cohort.repository.js';
import { PeriodTotals } from './period-totals.js';
import { CostlyQueryCache } from './costly-query-cache.js';

interface CohortCounts {
  readonly sizes: ReadonlyMap<string, number>;
  readonly cells: readonly CohortCell[];
}

@Injectable()
export class Cohorts {
  constructor(
    private readonly cohorts: CohortRepository,
    private readonly totals: PeriodTotals,
    private readonly costlyQueries: CostlyQueryCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns one cohort per period that the range touches, earliest first, including empty ones.
   * @throws DomainError invalid_field if the range has too many periods; work_too_costly if there is too much to count;
   *   service_unavailable as Survey.query.
   */
  async of(scope: TenantScope, query: CohortQuery): Promise<Cohort[]> {
    const now = this.clock.now();
    const starts = cohortStarts(query.period, query.range);
    const [from, last] = [starts[0], starts.at(-1)];
    if (!from || !last) return [];
    const { period, periods } = query;
    const end = addPeriods(period, last, periods);
    const present = addPeriods(period, periodStart(period, now), 1);
    const days = { from, until: end < present ? end : present };
    const { sizes, cells } = await this.costlyQueries.run(scope, { cohorts: query }, () =>
      isInActivityTable(query) ? this.created(scope, query, days) : this.ofMembers(scope, query, days),
    );
    return cohortTable(query, starts, sizes, cells, now);
  }

  private async created(scope: TenantScope, query: CohortQuery, days: Span): Promise<CohortCounts> {
    // Read in this order: contacts are only ever added, so every active contact is also counted in its cohort.
    const cells = await this.cohorts.createdAndActive(scope, query, days);
    const created = await this.totals.contactsCreated(scope, query.range);
    return { sizes: byPeriod(query.period, created), cells };
  }

  private async ofMembers(scope: TenantScope, query: CohortQuery, days: Span): Promise<CohortCounts> {
    const counted = await this.cohorts.ofMembers(scope, query, days);
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
  const totals = new Map<string, number>();
  for (const [day, count] of days) {
    const start = formatDay(periodStart(period, new Date(`${day}T00:00:00.000Z`)));
    totals.set(start, (totals.get(start) ?? 0) + count);
  }
  return totals;
}

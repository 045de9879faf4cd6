/** Reads the totals of a period from the rollups: the figures of analyses, without delay. */
import { Injectable } from '@nestjs/common';
import type { DateRange } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { sumEmailCounts, type EmailSelection, type TripCounts } from '../domain/period-totals.js';
import type { EmailCounts } from '../domain/rates.js';
import { partsOf } from '../domain/rollup.js';
import { PeriodTotalsRepository } from '../persistence/period-totals.repository.js';

@Injectable()
export class PeriodTotals {
  constructor(private readonly repository: PeriodTotalsRepository) {}

  /** Returns messages sent in the period, and their outcomes until now. */
  async emails(scope: TenantScope, selection: EmailSelection, range: DateRange): Promise<EmailCounts> {
    return sumEmailCounts(await this.repository.emails(scope, selection, partsOf(range)));
  }

  /** The same by flow or campaign; omits those that sent nothing. */
  async emailsBySource(
    scope: TenantScope,
    sourceIds: readonly string[],
    range: DateRange,
  ): Promise<Map<string, EmailCounts>> {
    return byKey(await this.repository.emails(scope, { sourceIds }, partsOf(range)));
  }

  /** Returns trips that entered the flows in the period, by flow; omits flows without any. */
  async trips(
    scope: TenantScope,
    flowIds: readonly string[],
    range: DateRange,
  ): Promise<Map<string, TripCounts>> {
    return byKey(await this.repository.trips(scope, flowIds, partsOf(range)));
  }

  /**
   * Returns how many of the trips that entered the flow in the period reached each step, in any version; omits steps
   * without any.
   */
  async steps(
    scope: TenantScope,
    flowId: string,
    stepIds: readonly number[],
    range: DateRange,
  ): Promise<Map<number, number>> {
    const rows = await this.repository.steps(scope, flowId, stepIds, partsOf(range));
    return new Map(rows.map(({ key, reached }) => [key, reached]));
  }

  /** Returns how many contacts were created in the period, by UTC day (YYYY-MM-DD); omits days without any. */
  async contactsCreated(scope: TenantScope, range: DateRange): Promise<Map<string, number>> {
    const rows = await this.repository.created(scope, partsOf(range));
    return new Map(rows.map(({ key, created }) => [key, created]));
  }
}

function byKey<Counts>(rows: readonly (Counts & { readonly key: string })[]): Map<string, Counts> {
  return new Map(rows.map(({ key, ...counts }) => [key, counts as unknown as Counts]));
}

/** Counts the trips that entered flows, for goals, reports and analyses: section 2.6, "entered". */
import { Injectable } from '@nestjs/common';
import type { DateRange } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { partsOf } from '../domain/rollup.js';
import { TripRollupRepository } from '../persistence/trip-rollup.repository.js';

@Injectable()
export class EnteredTrips {
  constructor(private readonly trips: TripRollupRepository) {}

  /** Returns how many trips of a flow started in a period, to the millisecond. */
  async countWithin(tx: Transaction, scope: TenantScope, flowId: string, period: DateRange): Promise<number> {
    return this.trips.startedWithin(tx, scope, flowId, partsOf(period));
  }
}

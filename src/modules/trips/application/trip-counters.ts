/**
 * Counts each flow's trips as they start and end, and reads the counts. Counters are updated as the last action
 * before the commit, since all batches of a flow update the same row.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import {
  sumTripDeltas,
  endDelta,
  revivalDeltas,
  startDelta,
  type TripCountDelta,
  type TripOutcomeCounts,
} from '../domain/trip-count-delta.js';
import type { EndedTrip, Trip } from '../domain/trip.js';
import { TripCounterRepository } from '../persistence/trip-counter.repository.js';
import { forEachEnvironment, type TenantItem } from './tenant-items.js';

@Injectable()
export class TripCounters implements BeforeCommitWork<TenantItem<TripCountDelta>> {
  readonly name = 'trip tallies';

  constructor(private readonly counters: TripCounterRepository) {}

  /** Counts trips that have started. Call it once for each trip, before the others. */
  countStarted(tx: Transaction, scope: TenantScope, trips: readonly Trip[]): void {
    this.add(tx, scope, trips.map(startDelta));
  }

  /** Counts trips that are over, whatever the cause: the last step, a stopped flow, a step that cannot run. */
  countEnded(tx: Transaction, scope: TenantScope, trips: readonly EndedTrip[]): void {
    this.add(tx, scope, trips.map(endDelta));
  }

  /** Subtracts the ends of trips that are under way again. @param trips as they had ended. */
  countRevived(tx: Transaction, scope: TenantScope, trips: readonly EndedTrip[]): void {
    this.add(tx, scope, trips.flatMap(revivalDeltas));
  }

  /** Adds to the counters, in the transaction and at its end. */
  add(tx: Transaction, scope: TenantScope, deltas: readonly TripCountDelta[]): void {
    tx.beforeCommit(
      this,
      // A transaction may end thousands of trips. Summing them here leaves one pending item per hour until its end.
      sumTripDeltas(deltas).map((item) => ({ scope, item })),
    );
  }

  async store(tx: Transaction, items: readonly TenantItem<TripCountDelta>[]): Promise<void> {
    await forEachEnvironment(tx, items, (scope, deltas) => this.counters.add(tx, scope, deltas));
  }

  /** The counts of trips of flows in this environment, by flow. A flow that has had no trip is left out. */
  async ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, TripOutcomeCounts>> {
    return this.counters.ofFlows(tx, scope, flowIds);
  }
}

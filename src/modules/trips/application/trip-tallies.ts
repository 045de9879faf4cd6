/**
 * Counts each flow's trips as they start and end, and reads the counts. Counters are updated as the last action
 * before the commit, since all batches of a flow update the same row.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import {
  summedTallies,
  tallyOfEnd,
  tallyOfRevival,
  tallyOfStart,
  type TallyChange,
  type TripTally,
} from '../domain/trip-tally.js';
import type { EndedTrip, Trip } from '../domain/trip.js';
import { TripTallyRepository } from '../persistence/trip-tally.repository.js';
import { EndedTripsListener } from './ended-trips.listener.js';
import { RevivedTripsListener } from './revived-trips.listener.js';
import { StartedTripsListener } from './started-trips.listener.js';
import { inEachOf, type OfTenant } from './tenant-changes.js';

@Injectable()
export class TripTallies implements LastWork<OfTenant<TallyChange>> {
  readonly name = 'trip tallies';

  constructor(private readonly tallies: TripTallyRepository) {}

  /** Adds to the counters, in the transaction and at its end. */
  add(tx: Transaction, scope: TenantScope, changes: readonly TallyChange[]): void {
    tx.beforeCommit(
      this,
      // A transaction may end thousands of trips. Summing them here leaves one pending item per hour until its end.
      summedTallies(changes).map((item) => ({ scope, item })),
    );
  }

  async store(tx: Transaction, items: readonly OfTenant<TallyChange>[]): Promise<void> {
    await inEachOf(tx, items, (scope, changes) => this.tallies.add(tx, scope, changes));
  }

  /** The counts of trips of flows in this environment, by flow. A flow that has had no trip is left out. */
  async ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, TripTally>> {
    return this.tallies.ofFlows(tx, scope, flowIds);
  }
}

@Injectable()
export class TallyStartedTrips extends StartedTripsListener {
  constructor(private readonly tallies: TripTallies) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, trips: readonly Trip[]): Promise<void> {
    this.tallies.add(tx, scope, trips.map(tallyOfStart));
  }
}

@Injectable()
export class TallyEndedTrips extends EndedTripsListener {
  constructor(private readonly tallies: TripTallies) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, trips: readonly EndedTrip[]): Promise<void> {
    this.tallies.add(tx, scope, trips.map(tallyOfEnd));
  }
}

/** Subtracts the ends of trips that are under way again. */
@Injectable()
export class TallyRevivedTrips extends RevivedTripsListener {
  constructor(private readonly tallies: TripTallies) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, trips: readonly EndedTrip[]): Promise<void> {
    this.tallies.add(tx, scope, trips.flatMap(tallyOfRevival));
  }
}

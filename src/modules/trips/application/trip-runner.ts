/**
 * Takes due trips further, a batch at a time: claim, ask the core, store, commit. The claim is a row lock, so a crash
 * at any moment gives the batch back as it was. A trip that fails for good is set aside.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Batches } from '../../set-aside/application/batches.js';
import type { BatchDone, DoBatch } from '../../set-aside/application/do-batch.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { DueTrips } from './due-trips.js';
import { TripDecisions } from './trip-decisions.js';

const BATCH = 500;
/** While one batch waits for its commit others are decided. */
const PARALLEL = 4;

@Injectable()
export class TripRunner {
  constructor(
    private readonly database: Database,
    private readonly batches: Batches,
    private readonly queue: DueTrips,
    private readonly trips: TripRepository,
    private readonly decisions: TripDecisions,
    private readonly clock: Clock,
  ) {}

  /**
   * Advances the tenant's due trips until none is left or `mayGoOn` says stop.
   * @returns whether due trips may be left.
   */
  async advanceDue(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const left = await Promise.all(Array.from({ length: PARALLEL }, () => this.loop(scope, mayGoOn)));
    return left.some(Boolean);
  }

  private async loop(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: BATCH, mayGoOn }, (limit, hold) =>
      this.advanceBatch(scope, limit, hold),
    );
  }

  private async advanceBatch(scope: TenantScope, ...[limit, hold]: Parameters<DoBatch>): Promise<BatchDone> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const claimed = await this.trips.claimDue(tx, scope, now, limit);
      if (claimed.length === 0) return { taken: 0, more: false };
      await hold(claimed.map(({ id }) => id));
      const decided = await this.decisions.decide(tx, scope, claimed, now);
      await this.trips.store(
        tx,
        scope,
        decided.map(({ state }) => state),
        now,
      );
      await this.decisions.follow(tx, scope, decided, now);
      return { taken: decided.length, more: claimed.length === limit || decided.length < claimed.length };
    });
  }
}

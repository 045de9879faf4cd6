/**
 * Takes due trips further, a batch at a time: claim, ask the core, store, commit. The claim is a row lock, so a crash
 * at any moment gives the batch back as it was.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { TripDecisions } from './trip-decisions.js';

const BATCH = 500;
/** While one batch waits for its commit others are decided. */
const PARALLEL = 4;

@Injectable()
export class TripRunner {
  constructor(
    private readonly database: Database,
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
    while (mayGoOn()) {
      const claimed = await this.advanceBatch(scope);
      if (claimed < BATCH) return false;
    }
    return true;
  }

  private async advanceBatch(scope: TenantScope): Promise<number> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const claimed = await this.trips.claimDue(tx, scope, now, BATCH);
      if (claimed.length === 0) return 0;
      const decided = await this.decisions.decide(tx, scope, claimed, now);
      await this.trips.store(tx, scope, this.decisions.states(decided, now), now);
      await this.decisions.follow(tx, scope, decided, now);
      return decided.length;
    });
  }
}

/**
 * Advances due trips in batches: claim, decide, store, commit. The claim is a row lock, so a crash at any moment
 * releases the batch unchanged. While it holds trips it never waits for a contact: trips whose contact may change and
 * is locked elsewhere are released, and if no others are left, it waits for one such contact in a new transaction. A
 * trip whose processing keeps throwing becomes a dead letter. The status `failed` is different: a decision of
 * `advance`.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, isOutOfTime } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { Batches } from '../../set-aside/application/batches.js';
import type { BatchDone, DoBatch } from '../../set-aside/application/do-batch.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { DueTrips } from './due-trips.js';
import { TripDecisions } from './trip-decisions.js';

const BATCH = 500;
/** While one batch waits for its commit, others are decided. */
const PARALLEL = 4;
const NONE: ReadonlySet<string> = new Set();

@Injectable()
export class TripRunner {
  constructor(
    private readonly database: Database,
    private readonly batches: Batches,
    private readonly queue: DueTrips,
    private readonly trips: TripRepository,
    private readonly decisions: TripDecisions,
    private readonly contacts: KnownContacts,
    private readonly clock: Clock,
  ) {}

  /**
   * Advances the tenant's due trips until none is left or `mayGoOn` returns false.
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
    const { busy, ...done } = await this.database.inScope(scope, async (tx) => {
      const claimed = await this.trips.claimDue(tx, scope, now, limit);
      const { free, busy } = await this.decisions.apartFromBusy(tx, scope, claimed);
      if (free.length === 0) return { taken: claimed.length, more: claimed.length > 0, busy };
      await hold(free.map(({ id }) => id));
      const decided = await this.decisions.decide(tx, scope, free, now);
      await this.trips.store(
        tx,
        scope,
        decided.map(({ state }) => state),
        now,
      );
      await this.decisions.follow(tx, scope, decided, now);
      const more = claimed.length === limit || decided.length < claimed.length;
      return { taken: decided.length, more, busy: NONE };
    });
    const [contactId] = busy;
    if (contactId !== undefined) await this.whenFree(scope, contactId);
    return done;
  }

  /** Waits while another transaction holds a contact, at most for the statement timeout. Holds no lock meanwhile. */
  private async whenFree(scope: TenantScope, contactId: string): Promise<void> {
    try {
      await this.database.inScope(scope, (tx) => this.contacts.whenFree(tx, scope, contactId));
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
    }
  }
}

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
import { Database, isTimeout } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { Batches } from '../../dead-letters/application/batches.js';
import type { BatchResult, ProcessBatch } from '../../dead-letters/application/work-queue.js';
import { TripRepository } from '../persistence/trip.repository.js';
import { DueTrips } from './due-trips.js';
import { TripDecisions } from './trip-decisions.js';

const BATCH_SIZE = 500;
/** While one batch waits for its commit, others are decided. */
const MAX_CONCURRENT_BATCHES = 4;
const NO_CONTACT_IDS: ReadonlySet<string> = new Set();

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
   * Advances the tenant's due trips until none is left or `mayContinue` returns false.
   * @returns whether due trips may be left.
   */
  async advanceDue(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const hasMore = await Promise.all(
      Array.from({ length: MAX_CONCURRENT_BATCHES }, () => this.runBatches(scope, mayContinue)),
    );
    return hasMore.some(Boolean);
  }

  private async runBatches(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: BATCH_SIZE, mayContinue }, (limit, claim) =>
      this.advanceBatch(scope, limit, claim),
    );
  }

  private async advanceBatch(
    scope: TenantScope,
    ...[limit, claim]: Parameters<ProcessBatch>
  ): Promise<BatchResult> {
    const now = this.clock.now();
    const { busy, ...done } = await this.database.inScope(scope, async (tx) => {
      const claimed = await this.trips.claimDue(tx, scope, now, limit);
      const { free, busy } = await this.decisions.skipBusyContacts(tx, scope, claimed);
      if (free.length === 0) return { taken: claimed.length, more: claimed.length > 0, busy };
      await claim(free.map(({ id }) => id));
      const decided = await this.decisions.decide(tx, scope, free, now);
      await this.trips.store(
        tx,
        scope,
        decided.map(({ state }) => state),
        now,
      );
      await this.decisions.applyConsequences(tx, scope, decided, now);
      const more = claimed.length === limit || decided.length < claimed.length;
      return { taken: decided.length, more, busy: NO_CONTACT_IDS };
    });
    const [contactId] = busy;
    if (contactId !== undefined) await this.waitUntilFree(scope, contactId);
    return done;
  }

  /** Waits while another transaction holds a contact, at most for the statement timeout. Holds no lock meanwhile. */
  private async waitUntilFree(scope: TenantScope, contactId: string): Promise<void> {
    try {
      await this.database.inScope(scope, (tx) => this.contacts.waitUntilUnlocked(tx, scope, contactId));
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
  }
}

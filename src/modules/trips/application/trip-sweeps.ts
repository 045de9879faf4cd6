/**
 * Work on all trips of a flow or of a contact. It is requested in the transaction that makes it necessary and done in
 * batches, one transaction each, by the requester and by workers. After a crash, workers continue from the stored
 * request.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { MINUTE } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, isUnreachable, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import type { Sweep, SweepKind } from '../domain/trip-sweep.js';
import { TripHistoryRepository } from '../persistence/trip-history.repository.js';
import { TripSweepRepository, type ClaimedSweep } from '../persistence/trip-sweep.repository.js';
import { TRIPS_WAKE_UP } from '../queue/trips.wakeup.js';
import { TripTerminator } from './trip-terminator.js';
import { MAX_ERASED_TRIPS_PER_BATCH } from './trip-erasure.js';

/** Does one batch of a sweep; returns whether there may be more. */
type SweepHandler = (tx: Transaction, scope: TenantScope, sweep: ClaimedSweep) => Promise<boolean>;

@Injectable()
export class TripSweeps {
  private readonly handlers: Readonly<Record<SweepKind, SweepHandler>> = {
    flow_stopped: (tx, scope, { subjectId: flowId }) =>
      this.terminator.terminateSomeOfFlow(tx, scope, flowId, 'flow_stopped', this.clock.now()),
    contact_erased: async (tx, scope, sweep) => {
      const last = await this.histories.eraseValues(
        tx,
        scope,
        sweep.subjectId,
        sweep.after,
        MAX_ERASED_TRIPS_PER_BATCH,
      );
      if (last) await this.sweeps.storeCursor(tx, scope, sweep, last);
      return last !== null;
    },
  };

  constructor(
    private readonly database: Database,
    private readonly sweeps: TripSweepRepository,
    private readonly terminator: TripTerminator,
    private readonly histories: TripHistoryRepository,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Requests a sweep in the caller's transaction. Once that commits, the sweep will be done. */
  async request(tx: Transaction, scope: TenantScope, sweep: Sweep, now: Date): Promise<void> {
    await this.sweeps.request(tx, scope, sweep, now);
    tx.afterCommit(() => this.dispatcher.wake(TRIPS_WAKE_UP, scope));
  }

  /** Whether a sweep was requested and is not done. */
  async isPending(tx: Transaction, scope: TenantScope, sweep: Sweep): Promise<boolean> {
    return this.sweeps.isPending(tx, scope, sweep);
  }

  /** Does a requested sweep, alongside workers that may already be on it; resolves when nothing is left to do. */
  async finish(scope: TenantScope, sweep: Sweep): Promise<void> {
    for (let hasMore = true; hasMore;)
      hasMore = await this.database.inScope(scope, async (tx) => {
        const claimed = await this.sweeps.claim(tx, scope, sweep);
        return claimed !== undefined && (await this.runBatch(tx, scope, claimed));
      });
  }

  /**
   * Does the tenant's sweeps until none is left or `mayContinue` returns false. A sweep that fails is retried after a
   * minute.
   * @returns whether there is more to do now.
   */
  async runDueSweeps(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    while (mayContinue()) {
      let sweep: ClaimedSweep | undefined;
      try {
        await this.database.inScope(scope, async (tx) => {
          sweep = await this.sweeps.claimNext(tx, scope, this.clock.now());
          if (sweep) await this.runBatch(tx, scope, sweep);
        });
      } catch (error) {
        if (!sweep || isUnreachable(error)) throw error;
        await this.deferFailed(scope, sweep, error);
      }
      if (!sweep) return false;
    }
    return true;
  }

  /** @returns whether there may be more. */
  private async runBatch(tx: Transaction, scope: TenantScope, sweep: ClaimedSweep): Promise<boolean> {
    const hasMore = await this.handlers[sweep.kind](tx, scope, sweep);
    if (!hasMore) await this.sweeps.delete(tx, scope, sweep);
    return hasMore;
  }

  private async deferFailed(scope: TenantScope, { kind, subjectId }: Sweep, error: unknown): Promise<void> {
    this.logger.error(
      { err: error, kind, subjectId, ...scope },
      'A sweep of trips failed and will be retried in a minute',
    );
    const until = new Date(this.clock.now().getTime() + MINUTE);
    await this.database.inScope(scope, (tx) => this.sweeps.defer(tx, scope, { kind, subjectId }, until));
  }
}

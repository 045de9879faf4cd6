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
import { TripStoryRepository } from '../persistence/trip-story.repository.js';
import { TripSweepRepository, type HeldSweep } from '../persistence/trip-sweep.repository.js';
import { TRIPS_BELL } from '../queue/trips.jobs.js';
import { TripEndings } from './trip-endings.js';
import { TRAILS_AT_ONCE } from './trip-erasure.js';

/** Does one batch of a sweep; returns whether there may be more. */
type SweepWork = (tx: Transaction, scope: TenantScope, sweep: HeldSweep) => Promise<boolean>;

@Injectable()
export class TripSweeps {
  private readonly work: Readonly<Record<SweepKind, SweepWork>> = {
    flow_stopped: (tx, scope, { subjectId: flowId }) =>
      this.endings.endSomeOfFlow(tx, scope, flowId, 'flow_stopped', this.clock.now()),
    contact_erased: async (tx, scope, sweep) => {
      const last = await this.stories.forgetValues(tx, scope, sweep.subjectId, sweep.after, TRAILS_AT_ONCE);
      if (last) await this.sweeps.moveOn(tx, scope, sweep, last);
      return last !== null;
    },
  };

  constructor(
    private readonly database: Database,
    private readonly sweeps: TripSweepRepository,
    private readonly endings: TripEndings,
    private readonly stories: TripStoryRepository,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Requests a sweep in the caller's transaction. Once that commits, the sweep will be done. */
  async ask(tx: Transaction, scope: TenantScope, sweep: Sweep, now: Date): Promise<void> {
    await this.sweeps.ask(tx, scope, sweep, now);
    tx.afterCommit(() => this.dispatcher.ring(TRIPS_BELL, scope));
  }

  /** Whether a sweep was requested and is not done. */
  async isAsked(tx: Transaction, scope: TenantScope, sweep: Sweep): Promise<boolean> {
    return this.sweeps.isAsked(tx, scope, sweep);
  }

  /** Does a requested sweep, alongside workers that may already be on it; resolves when nothing is left to do. */
  async finish(scope: TenantScope, sweep: Sweep): Promise<void> {
    for (let isLeft = true; isLeft;)
      isLeft = await this.database.inScope(scope, async (tx) => {
        const held = await this.sweeps.hold(tx, scope, sweep);
        return held !== undefined && (await this.bite(tx, scope, held));
      });
  }

  /**
   * Does the tenant's sweeps until none is left or `mayGoOn` returns false. A sweep that fails is retried after a
   * minute.
   * @returns whether there is more to do now.
   */
  async sweepDue(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    while (mayGoOn()) {
      let sweep: HeldSweep | undefined;
      try {
        await this.database.inScope(scope, async (tx) => {
          sweep = await this.sweeps.holdNext(tx, scope, this.clock.now());
          if (sweep) await this.bite(tx, scope, sweep);
        });
      } catch (error) {
        if (!sweep || isUnreachable(error)) throw error;
        await this.leave(scope, sweep, error);
      }
      if (!sweep) return false;
    }
    return true;
  }

  /** @returns whether there may be more. */
  private async bite(tx: Transaction, scope: TenantScope, sweep: HeldSweep): Promise<boolean> {
    const isLeft = await this.work[sweep.kind](tx, scope, sweep);
    if (!isLeft) await this.sweeps.forget(tx, scope, sweep);
    return isLeft;
  }

  private async leave(scope: TenantScope, { kind, subjectId }: Sweep, error: unknown): Promise<void> {
    this.logger.error(
      { err: error, kind, subjectId, ...scope },
      'A sweep of trips failed and will be retried in a minute',
    );
    const until = new Date(this.clock.now().getTime() + MINUTE);
    await this.database.inScope(scope, (tx) => this.sweeps.defer(tx, scope, { kind, subjectId }, until));
  }
}

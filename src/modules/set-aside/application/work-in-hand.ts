/**
 * Finds the row that kills whoever works on it: memory that runs out, a native crash, a statement that takes the
 * database along. While nobody has died nothing is written. After a death the rows of each batch are written down
 * before they are worked on, and rows that a process has died with are worked on one by one, each while its process does
 * no other batch but those that are LONG: those that merely were there are done, and the one that is alone at death after
 * death is known.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Presence } from '../../../platform/database/presence.js';
import type { WorkKind } from '../domain/set-aside-work.js';
import { WorkInHandRepository } from '../persistence/work-in-hand.repository.js';
import type { BatchDone, DoBatch } from './do-batch.js';
import { failureOf, WorkerDied } from './failure.js';
import { AloneOrTogether } from './alone-or-together.js';

/** Deaths of processes that had the row in hand, all but the first with no other batch, that make it the cause. */
const MOST_DEATHS = 3;

/** Takes so long at a time that nobody may wait for it; it is suspected with what it was done beside. */
const LONG: readonly WorkKind[] = ['segment_refresh'];

/** Thrown of a batch that holds a row with which a process has died, unless it stands alone. */
class Suspected extends Error {
  /** @param before rows of the batch that come before the first such one. */
  constructor(readonly before: number) {
    super('A process ended with a row of the batch in flight.');
  }
}

@Injectable()
export class WorkInHand {
  /** A suspect is alone among the rows of all queues and tenants, so that a death has one cause. */
  private readonly turns = new AloneOrTogether();

  constructor(
    private readonly presence: Presence,
    private readonly repository: WorkInHandRepository,
  ) {}

  /**
   * Does a batch, or as much of it as comes before the first suspect, or the first suspect alone.
   * @param limit most rows.
   * @throws WorkerDied of a row alone that is the cause; and whatever `work` throws.
   */
  async during(scope: TenantScope, kind: WorkKind, limit: number, work: DoBatch): Promise<BatchDone> {
    // A process that works is present, and knows whether another one has died.
    await this.presence.number();
    const attempt = (): Promise<BatchDone> => this.attempt(scope, kind, { limit, isAlone: false }, work);
    try {
      return await (LONG.includes(kind) ? attempt() : this.turns.together(attempt));
    } catch (error) {
      if (!(error instanceof Suspected)) throw error;
      if (error.before > 0) return this.during(scope, kind, error.before, work);
      return this.turns.alone(() => this.attempt(scope, kind, { limit: 1, isAlone: true }, work));
    }
  }

  /** Forgets a row that leaves its queue with the transaction. */
  async forget(tx: Transaction, scope: TenantScope, kind: WorkKind, id: string): Promise<void> {
    await this.repository.forget(tx, scope, kind, id);
  }

  private async attempt(
    scope: TenantScope,
    kind: WorkKind,
    { limit, isAlone }: { readonly limit: number; readonly isAlone: boolean },
    work: DoBatch,
  ): Promise<BatchDone> {
    let written: readonly string[] = [];
    const hold = async (ids: readonly string[]): Promise<void> => {
      if (!this.presence.isAfterDeath || ids.length === 0) return;
      await this.refuseSuspects(scope, kind, ids, isAlone);
      await this.repository.take(scope, kind, ids);
      written = ids;
    };
    try {
      const done = await work(limit, hold);
      if (written.length > 0) await this.repository.done(scope, kind, written);
      return done;
    } catch (error) {
      // Where the database is gone it may be the row that took it along, and nothing can be written.
      if (written.length > 0 && failureOf(error).kind !== 'unreachable')
        await this.repository.letGo(scope, kind, written);
      throw error;
    }
  }

  private async refuseSuspects(
    scope: TenantScope,
    kind: WorkKind,
    ids: readonly string[],
    isAlone: boolean,
  ): Promise<void> {
    const deaths = await this.repository.deaths(scope, kind, ids);
    const first = ids.findIndex((id) => deaths.has(id));
    if (first === -1) return;
    if (!isAlone || ids.length > 1) throw new Suspected(first);
    if ((deaths.get(ids[0] ?? '') ?? 0) >= MOST_DEATHS) throw new WorkerDied();
  }
}

/**
 * Finds poison rows: rows that kill the process that works on them, by running out of memory, by a native crash, or by
 * a statement that takes the database down. While no process has died, nothing is written. After a death, the rows of
 * each batch are recorded before work on them starts. Rows that a process has died with are processed one by one, each
 * while its process runs no other batch except LONG ones. Innocent rows then finish, and the row that is alone at one
 * death after another is the cause.
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

/**
 * Deaths of processes that had claimed the row, after which the row is the cause. In all but the first, no other batch
 * was running.
 */
const MOST_DEATHS = 3;

/**
 * Runs for so long that other work cannot wait for it. It becomes a suspect together with the work that ran next to it.
 */
const LONG: readonly WorkKind[] = ['segment_refresh'];

/** Thrown for a batch that holds a row with which a process has died, unless that row is the only one. */
class Suspected extends Error {
  /** @param before rows of the batch before the first such row. */
  constructor(readonly before: number) {
    super('A process ended with a row of the batch in flight.');
  }
}

@Injectable()
export class WorkInHand {
  /** A suspect runs alone among the rows of all queues and tenants, so that a death has one cause. */
  private readonly turns = new AloneOrTogether();

  constructor(
    private readonly presence: Presence,
    private readonly repository: WorkInHandRepository,
  ) {}

  /**
   * Runs a batch, or the part of it before the first suspect, or only the first suspect.
   * @param limit the maximum number of rows.
   * @throws WorkerDied for a single row that is the cause; and any error that `work` throws.
   */
  async during(scope: TenantScope, kind: WorkKind, limit: number, work: DoBatch): Promise<BatchDone> {
    // Registers this process. From then on it also knows whether another process has died.
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

  /** Forgets a row that leaves its queue in this transaction. */
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
      // If the database is down, the row may be the cause, and nothing can be written.
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

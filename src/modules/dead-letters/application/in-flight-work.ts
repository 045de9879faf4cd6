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
import { SharedExclusiveLock } from '../../../platform/concurrency/shared-exclusive-lock.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import type { WorkKind } from '../domain/dead-letter.js';
import { InFlightWorkRepository } from '../persistence/in-flight-work.repository.js';
import type { BatchResult, ProcessBatch } from './work-queue.js';
import { failureOf, WorkerDiedError } from './failure.js';

/**
 * Deaths of processes that had claimed the row, after which the row is the cause. In all but the first, no other batch
 * was running.
 */
const MAX_CRASHES = 3;

/**
 * Runs for so long that other work cannot wait for it. It becomes a suspect together with the work that ran next to it.
 */
const LONG_RUNNING_KINDS: readonly WorkKind[] = ['segment_refresh'];

/** Thrown for a batch that holds a row with which a process has died, unless that row is the only one. */
class QuarantinedRowError extends Error {
  /** @param before rows of the batch before the first such row. */
  constructor(readonly before: number) {
    super('A process ended with a row of the batch in flight.');
  }
}

@Injectable()
export class InFlightWork {
  /** A suspect runs alone among the rows of all queues and tenants, so that a death has one cause. */
  private readonly isolation = new SharedExclusiveLock();

  constructor(
    private readonly lease: ProcessLease,
    private readonly repository: InFlightWorkRepository,
  ) {}

  /**
   * Runs a batch, or the part of it before the first suspect, or only the first suspect.
   * @param limit the maximum number of rows.
   * @throws WorkerDiedError for a single row that is the cause; and any error that `work` throws.
   */
  async run(scope: TenantScope, kind: WorkKind, limit: number, work: ProcessBatch): Promise<BatchResult> {
    // Registers this process. From then on it also knows whether another process has died.
    await this.lease.number();
    const attempt = (): Promise<BatchResult> => this.attempt(scope, kind, { limit, isIsolated: false }, work);
    try {
      return await (LONG_RUNNING_KINDS.includes(kind) ? attempt() : this.isolation.runShared(attempt));
    } catch (error) {
      if (!(error instanceof QuarantinedRowError)) throw error;
      if (error.before > 0) return this.run(scope, kind, error.before, work);
      return this.isolation.runExclusive(() =>
        this.attempt(scope, kind, { limit: 1, isIsolated: true }, work),
      );
    }
  }

  /** Forgets a row that leaves its queue in this transaction. */
  async complete(tx: Transaction, scope: TenantScope, kind: WorkKind, id: string): Promise<void> {
    await this.repository.completeInTransaction(tx, scope, kind, id);
  }

  private async attempt(
    scope: TenantScope,
    kind: WorkKind,
    { limit, isIsolated }: { readonly limit: number; readonly isIsolated: boolean },
    work: ProcessBatch,
  ): Promise<BatchResult> {
    let recorded: readonly string[] = [];
    const claim = async (ids: readonly string[]): Promise<void> => {
      if (!this.lease.hasRecentCrash || ids.length === 0) return;
      await this.rejectQuarantined(scope, kind, ids, isIsolated);
      await this.repository.claim(scope, kind, ids);
      recorded = ids;
    };
    try {
      const result = await work(limit, claim);
      if (recorded.length > 0) await this.repository.complete(scope, kind, recorded);
      return result;
    } catch (error) {
      // If the database is down, the row may be the cause, and nothing can be written.
      if (recorded.length > 0 && failureOf(error).kind !== 'unreachable')
        await this.repository.release(scope, kind, recorded);
      throw error;
    }
  }

  private async rejectQuarantined(
    scope: TenantScope,
    kind: WorkKind,
    ids: readonly string[],
    isIsolated: boolean,
  ): Promise<void> {
    const crashes = await this.repository.crashCounts(scope, kind, ids);
    const first = ids.findIndex((id) => crashes.has(id));
    if (first === -1) return;
    if (!isIsolated || ids.length > 1) throw new QuarantinedRowError(first);
    if ((crashes.get(ids[0] ?? '') ?? 0) >= MAX_CRASHES) throw new WorkerDiedError();
  }
}

/** A queue of rows as this module uses it. Each module implements how a row leaves its queues and returns to them. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { JobContract } from '../../../platform/queue/job-contract.js';
import type { WorkKind } from '../domain/dead-letter.js';

export interface WorkQueue {
  readonly kind: WorkKind;
  /** The wake-up to send after work is requeued. */
  readonly wakeUp: JobContract<TenantScope>;
  /**
   * Takes a row out of the queue until it is requeued, so that queries for due work do not scan it.
   * @returns whether it was still waiting; another process may have done it meanwhile.
   */
  dequeue(tx: Transaction, scope: TenantScope, subjectId: string, now: Date): Promise<boolean>;
  /**
   * Makes the row due at a later moment, so that other rows need not wait for one that fails alone. Only queues with a
   * due time for each row implement it. Queues that keep an order do not: they pause as a whole.
   */
  defer?(tx: Transaction, scope: TenantScope, subjectId: string, until: Date, now: Date): Promise<void>;
  /**
   * Makes the row due again. A row that no longer exists, or needs no more work, stays as it is.
   * @returns whether there was any work to do.
   */
  requeue(tx: Transaction, scope: TenantScope, subjectId: string, now: Date): Promise<boolean>;
}

/** The result of a batch. */
export interface BatchResult {
  readonly taken: number;
  /**
   * Whether more rows may be waiting. It can be true although fewer rows were taken than the limit allowed, when they
   * would have been too large for one batch.
   */
  readonly more: boolean;
}

/**
 * Takes at most `limit` rows and processes them in one transaction, all or nothing.
 * @param claim is called with the ids of the rows as soon as they are known; the batch awaits it before it changes
 *   anything.
 */
export type ProcessBatch = (
  limit: number,
  claim: (ids: readonly string[]) => Promise<void>,
) => Promise<BatchResult>;

/**
 * Every queue of the service, by kind. Their modules are in higher layers, so processes/bindings.module passes them in.
 */
export class WorkQueues {
  private readonly byKind: ReadonlyMap<WorkKind, WorkQueue>;

  /** @throws TypeError when two queues have the same kind, since work would be requeued into the wrong one. */
  constructor(queues: readonly WorkQueue[]) {
    this.byKind = new Map(queues.map((queue) => [queue.kind, queue]));
    if (this.byKind.size < queues.length)
      throw new TypeError(`Two queues have the same kind: ${queues.map(({ kind }) => kind).join(', ')}.`);
  }

  /** @throws TypeError when no queue has the kind. */
  of(kind: WorkKind): WorkQueue {
    const queue = this.byKind.get(kind);
    if (!queue) throw new TypeError(`No queue has the kind ${kind}.`);
    return queue;
  }
}

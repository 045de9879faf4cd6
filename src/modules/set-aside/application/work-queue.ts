/** A queue of rows as setting aside sees it; each module says for its own queues how a row leaves and comes back. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { JobContract } from '../../../platform/queue/job-contract.js';
import type { WorkKind } from '../domain/set-aside-work.js';

export interface WorkQueue {
  readonly kind: WorkKind;
  /** Rung when work has come back. */
  readonly bell: JobContract<TenantScope>;
  /**
   * Takes a row out of the queue for as long as nobody puts it back, so that looking for due work costs the same.
   * @returns whether it was still waiting: somebody else may have done it meanwhile.
   */
  takeOut(tx: Transaction, scope: TenantScope, subjectId: string, now: Date): Promise<boolean>;
  /**
   * Makes the row due at a later moment, where the queue has one for each row, so that others need not wait for one
   * that fails alone. Queues that keep an order have none: they pause as a whole.
   */
  defer?(tx: Transaction, scope: TenantScope, subjectId: string, until: Date, now: Date): Promise<void>;
  /**
   * Makes the row due again; one that is gone, or needs nothing any more, is left alone.
   * @returns whether there was anything to be done.
   */
  putBack(tx: Transaction, scope: TenantScope, subjectId: string, now: Date): Promise<boolean>;
}

/** Every queue of the service, by kind. They stand above, so processes/bindings.module hands them over. */
export class WorkQueues {
  private readonly byKind: ReadonlyMap<WorkKind, WorkQueue>;

  /** @throws TypeError when two queues are of one kind: work would come back to the wrong one. */
  constructor(queues: readonly WorkQueue[]) {
    this.byKind = new Map(queues.map((queue) => [queue.kind, queue]));
    if (this.byKind.size < queues.length)
      throw new TypeError(`Two queues have the same kind: ${queues.map(({ kind }) => kind).join(', ')}.`);
  }

  /** @throws TypeError when no queue is of the kind. */
  of(kind: WorkKind): WorkQueue {
    const queue = this.byKind.get(kind);
    if (!queue) throw new TypeError(`No queue has the kind ${kind}.`);
    return queue;
  }
}

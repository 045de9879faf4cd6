/** Every queue of rows that the modules have, by its kind. */
import { WorkQueues, type WorkQueue } from '../modules/set-aside/application/work-queue.js';
import type { WorkKind } from '../modules/set-aside/domain/set-aside-work.js';

export class WorkQueuesByKind extends WorkQueues {
  constructor(private readonly queues: readonly WorkQueue[]) {
    super();
  }

  override of(kind: WorkKind): WorkQueue {
    const queue = this.queues.find((one) => one.kind === kind);
    if (!queue) throw new Error(`No queue is of the kind ${kind}.`);
    return queue;
  }
}

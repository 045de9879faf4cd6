/** What people see of work that was set aside, and how they put it back. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { sliceOf, type Slice, type WantedPage } from '../../../kernel/place.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import type { SetAsideWork } from '../domain/set-aside-work.js';
import { SetAsideRepository } from '../persistence/set-aside.repository.js';
import { WorkQueues } from './work-queue.js';

@Injectable()
export class SetAsideService {
  constructor(
    private readonly database: Database,
    private readonly repository: SetAsideRepository,
    private readonly queues: WorkQueues,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** A page of the environment's set-aside work, the latest first, and how much there is. */
  async list(
    scope: TenantScope,
    { first, after }: WantedPage,
  ): Promise<{ readonly work: Slice<SetAsideWork>; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => ({
      work: sliceOf(await this.repository.list(tx, scope, first + 1, after?.id ?? null), first),
      total: await this.repository.count(tx, scope),
    }));
  }

  /**
   * Puts work back into its queue, where it is due at once; it is set aside again when it fails again.
   * @returns the work; undefined when there is none of that id.
   */
  async retry(scope: TenantScope, id: string): Promise<SetAsideWork | undefined> {
    if (!isUuid(id)) return undefined;
    return this.database.inScope(scope, async (tx) => {
      const work = await this.repository.take(tx, scope, id);
      if (!work) return undefined;
      const queue = this.queues.of(work.kind);
      await queue.putBack(tx, scope, work.subjectId, this.clock.now());
      tx.afterCommit(() => this.dispatcher.ring(queue.bell, scope));
      return work;
    });
  }
}

/** Lists dead letters and requeues them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { assertPermitted, isPermitted } from '../../access/domain/access.js';
import { PERMISSION_OF, WORK_KINDS, type DeadLetter } from '../domain/dead-letter.js';
import { DeadLetterRepository } from '../persistence/dead-letter.repository.js';
import { WorkQueues } from './work-queue.js';

export type RetriedWork = DeadLetter & { readonly isPutBack: boolean };

@Injectable()
export class DeadLetterService {
  constructor(
    private readonly database: Database,
    private readonly repository: DeadLetterRepository,
    private readonly queues: WorkQueues,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * A page of the environment's dead letters of the kinds that the caller may see, newest first, and their total
   * number.
   */
  async list(
    principal: Principal,
    { first, after }: PageRequest,
  ): Promise<{ readonly work: Slice<DeadLetter>; readonly total: number }> {
    const scope = scopeOf(principal);
    const kinds = WORK_KINDS.filter((kind) => isPermitted(principal, PERMISSION_OF[kind]));
    return this.database.listInScope(scope, async (tx) => ({
      work: sliceOf(await this.repository.list(tx, scope, kinds, first + 1, after?.id ?? null), first),
      total: await this.repository.count(tx, scope, kinds),
    }));
  }

  /**
   * Removes work from the list and requeues it, due immediately, unless it has no work left. If it fails again, it
   * becomes a dead letter again.
   * @returns the work, and whether it was requeued; undefined when there is none of that id.
   * @throws DomainError missing_permission when the caller may not requeue work of its kind.
   */
  async retry(principal: Principal, id: string): Promise<RetriedWork | undefined> {
    if (!isUuid(id)) return undefined;
    const scope = scopeOf(principal);
    return this.database.inScope(scope, async (tx) => {
      const work = await this.repository.remove(tx, scope, id);
      if (!work) return undefined;
      assertPermitted(principal, PERMISSION_OF[work.kind]);
      const queue = this.queues.of(work.kind);
      const isRequeued = await queue.requeue(tx, scope, work.subjectId, this.clock.now());
      if (isRequeued) tx.afterCommit(() => this.dispatcher.wake(queue.wakeUp, scope));
      return { ...work, isPutBack: isRequeued };
    });
  }
}

/**
 * Works a tenant's queue off batch by batch, and lets no row stop it: a batch that fails for a reason that lasts is
 * halved until the row that causes it stands alone, and that row is set aside. Each attempt is a transaction of its own,
 * so what was done stays done, and a crash in the middle loses nothing: the rows are due as before, and the next batch
 * is a whole one. Reasons that may pass are tried again with growing pauses, and not for ever.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { FailingWork } from '../domain/failing-work.js';
import { isExhausted } from '../domain/patience.js';
import type { SetAsideCode } from '../domain/set-aside-work.js';
import type { DoBatch } from './do-batch.js';
import { failureOf, reasonAfterPatience } from './failure.js';
import { SetAsideList } from './set-aside-list.js';
import { WorkInHand } from './work-in-hand.js';
import type { WorkQueue } from './work-queue.js';

export interface BatchSize {
  /** Most rows of a batch. */
  readonly size: number;
  readonly mayGoOn: () => boolean;
}

@Injectable()
export class Batches {
  private readonly failing = new FailingWork();

  constructor(
    private readonly database: Database,
    private readonly list: SetAsideList,
    private readonly inHand: WorkInHand,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Does batches until nothing is left, `mayGoOn` says stop, or the tenant's queue has to pause.
   * @returns whether rows may be left that can be worked on now.
   * @throws what says that the database cannot be reached.
   */
  async run(
    scope: TenantScope,
    queue: WorkQueue,
    { size, mayGoOn }: BatchSize,
    work: DoBatch,
  ): Promise<boolean> {
    const key = `${queue.kind} ${scopeKey(scope)}`;
    if (this.failing.isPausing(key, this.clock.now())) return false;
    let limit = size;
    while (mayGoOn()) {
      let held: readonly string[] = [];
      try {
        const { taken, more } = await this.inHand.during(scope, queue.kind, limit, (most, write) =>
          work(most, (ids) => write((held = ids))),
        );
        this.failing.done(key, held);
        if (!more) return false;
        limit = Math.min(size, Math.max(taken, 1) * 2);
      } catch (error) {
        const next = await this.afterFailure(scope, queue, { key, held, limit }, error);
        if (next === 'pause') return false;
        limit = next;
      }
    }
    return true;
  }

  /** Sets aside what a caller has found to fail alone, outside of any batch. */
  async setAside(
    scope: TenantScope,
    queue: WorkQueue,
    subjectId: string,
    { code, error }: { readonly code: SetAsideCode; readonly error: unknown },
  ): Promise<void> {
    const now = this.clock.now();
    const isAside = await this.database.inScope(scope, async (tx) => {
      if (!(await queue.takeOut(tx, scope, subjectId, now))) return false;
      await this.list.note(tx, scope, queue.kind, { subjectId, code }, now);
      await this.inHand.forget(tx, scope, queue.kind, subjectId);
      return true;
    });
    if (isAside)
      this.logger.error(
        { err: error, kind: queue.kind, subjectId, code, ...scope },
        'Work became a dead letter',
      );
  }

  /** The limit of the next batch, or that there is none for now. */
  private async afterFailure(
    scope: TenantScope,
    queue: WorkQueue,
    batch: { readonly key: string; readonly held: readonly string[]; readonly limit: number },
    error: unknown,
  ): Promise<number | 'pause'> {
    const failure = failureOf(error);
    if (failure.kind === 'unreachable') throw error;
    const size = Math.min(batch.held.length, batch.limit);
    if (failure.kind !== 'passing' && size > 1) return size >> 1;
    const [alone] = size === 1 ? batch.held : [];
    const end = async (id: string, code: SetAsideCode): Promise<number> => {
      await this.setAside(scope, queue, id, { code, error });
      this.failing.done(batch.key, [id]);
      return 1;
    };
    if (failure.kind === 'lasting' && alone !== undefined) return end(alone, failure.code);
    if (size > 1 && this.failing.holdsFailing(batch.key, batch.held)) return size >> 1;
    const now = this.clock.now();
    const isDeferred = queue.defer !== undefined && alone !== undefined;
    const isCostly = failure.kind === 'large' && alone !== undefined;
    const { failures, suspects } = isDeferred
      ? { failures: this.failing.rowFailed(batch.key, alone, now, isCostly), suspects: 1 }
      : this.failing.batchFailed(batch.key, batch.held, now);
    this.logger.warn({ err: error, kind: queue.kind, tries: failures.tries, ...scope }, 'A batch failed');
    // Once may be chance; then the row that it is about is looked for, so that the others need not wait.
    if (size > 1 && failures.tries > 1) return Math.max(1, Math.min(size, suspects) >> 1);
    if (alone === undefined) return 'pause';
    if (isExhausted(failures, now, isCostly)) return end(alone, reasonAfterPatience(error));
    if (!isDeferred) return 'pause';
    await this.database.inScope(scope, async (tx) => queue.defer?.(tx, scope, alone, failures.until, now));
    return 1;
  }
}

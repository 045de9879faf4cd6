/**
 * Works through a tenant's queue in batches and lets no row block it. A batch that fails for a permanent reason is
 * halved until the row that causes the failure is isolated, and that row becomes a dead letter. Each attempt is its own
 * transaction: finished work stays finished, and a crash in the middle loses nothing, because the rows are still due
 * and the next batch starts at full size. Failures that may be transient are retried with growing pauses, up to a
 * limit.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { FailingWork } from '../domain/failing-work.js';
import { isExhausted } from '../domain/retry-policy.js';
import type { DeadLetterCode } from '../domain/dead-letter.js';
import { failureOf, reasonWhenExhausted } from './failure.js';
import { DeadLetterList } from './dead-letter-list.js';
import { InFlightWork } from './in-flight-work.js';
import type { ProcessBatch, WorkQueue } from './work-queue.js';

export interface BatchOptions {
  /** Maximum number of rows per batch. */
  readonly size: number;
  readonly mayContinue: () => boolean;
}

@Injectable()
export class Batches {
  private readonly failing = new FailingWork();

  constructor(
    private readonly database: Database,
    private readonly deadLetters: DeadLetterList,
    private readonly inFlight: InFlightWork,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs batches until no row is left, `mayContinue` returns false, or the tenant's queue has to pause.
   * @returns whether rows may be left that can be processed now.
   * @throws the error that says that the database cannot be reached.
   */
  async run(
    scope: TenantScope,
    queue: WorkQueue,
    { size, mayContinue: mayContinue }: BatchOptions,
    work: ProcessBatch,
  ): Promise<boolean> {
    const key = `${queue.kind} ${scopeKey(scope)}`;
    if (this.failing.isPausing(key, this.clock.now())) return false;
    let limit = size;
    while (mayContinue()) {
      let claimed: readonly string[] = [];
      try {
        const { taken, more } = await this.inFlight.run(scope, queue.kind, limit, (maxRows, record) =>
          work(maxRows, (ids) => record((claimed = ids))),
        );
        this.failing.done(key, claimed);
        if (!more) return false;
        limit = Math.min(size, Math.max(taken, 1) * 2);
      } catch (error) {
        const next = await this.afterFailure(scope, queue, { key, claimed, limit }, error);
        if (next === 'pause') return false;
        limit = next;
      }
    }
    return true;
  }

  /** Dead-letters a row that the caller found to fail alone, outside of any batch. */
  async deadLetter(
    scope: TenantScope,
    queue: WorkQueue,
    subjectId: string,
    { code, error }: { readonly code: DeadLetterCode; readonly error: unknown },
  ): Promise<void> {
    const now = this.clock.now();
    const wasRemoved = await this.database.inScope(scope, async (tx) => {
      if (!(await queue.dequeue(tx, scope, subjectId, now))) return false;
      await this.deadLetters.add(tx, scope, queue.kind, { subjectId, code }, now);
      await this.inFlight.complete(tx, scope, queue.kind, subjectId);
      return true;
    });
    if (wasRemoved)
      this.logger.error(
        { err: error, kind: queue.kind, subjectId, code, ...scope },
        'Work became a dead letter',
      );
  }

  /** The limit of the next batch, or that the queue pauses for now. */
  private async afterFailure(
    scope: TenantScope,
    queue: WorkQueue,
    batch: { readonly key: string; readonly claimed: readonly string[]; readonly limit: number },
    error: unknown,
  ): Promise<number | 'pause'> {
    const failure = failureOf(error);
    if (failure.kind === 'unreachable') throw error;
    const size = Math.min(batch.claimed.length, batch.limit);
    if (failure.kind !== 'passing' && size > 1) return size >> 1;
    const [isolated] = size === 1 ? batch.claimed : [];
    const deadLetter = async (id: string, code: DeadLetterCode): Promise<number> => {
      await this.deadLetter(scope, queue, id, { code, error });
      this.failing.done(batch.key, [id]);
      return 1;
    };
    if (failure.kind === 'lasting' && isolated !== undefined) return deadLetter(isolated, failure.code);
    if (size > 1 && this.failing.includesFailing(batch.key, batch.claimed)) return size >> 1;
    const now = this.clock.now();
    const isDeferred = queue.defer !== undefined && isolated !== undefined;
    const isCostly = failure.kind === 'large' && isolated !== undefined;
    const { failures, quarantinedCount: quarantinedCount } = isDeferred
      ? { failures: this.failing.rowFailed(batch.key, isolated, now, isCostly), quarantinedCount: 1 }
      : this.failing.batchFailed(batch.key, batch.claimed, now);
    this.logger.warn({ err: error, kind: queue.kind, tries: failures.tries, ...scope }, 'A batch failed');
    // One failure may be chance. From the second on, the batch shrinks to isolate the row at fault, so that the others
    // need not wait.
    if (size > 1 && failures.tries > 1) return Math.max(1, Math.min(size, quarantinedCount) >> 1);
    if (isolated === undefined) return 'pause';
    if (isExhausted(failures, now, isCostly)) return deadLetter(isolated, reasonWhenExhausted(error));
    if (!isDeferred) return 'pause';
    await this.database.inScope(scope, async (tx) => queue.defer?.(tx, scope, isolated, failures.until, now));
    return 1;
  }
}

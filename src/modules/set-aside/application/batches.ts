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
import { Database, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { isExhausted, oneMore, type Failures } from '../domain/patience.js';
import type { SetAsideCode } from '../domain/set-aside-work.js';
import { SetAsideRepository } from '../persistence/set-aside.repository.js';
import type { DoBatch } from './do-batch.js';
import { failureOf, reasonAfterPatience } from './failure.js';
import { WorkInHand } from './work-in-hand.js';
import type { WorkQueue } from './work-queue.js';

/** Queues and rows whose failures are remembered; of more, those that failed longest ago begin anew. */
const MOST_FAILING = 10_000;

export interface BatchSize {
  /** Most rows of a batch. */
  readonly size: number;
  readonly mayGoOn: () => boolean;
}

@Injectable()
export class Batches {
  /** Of a tenant's queue as a whole, and of single rows. */
  private readonly failures = new Map<string, Failures>();

  constructor(
    private readonly database: Database,
    private readonly repository: SetAsideRepository,
    private readonly inHand: WorkInHand,
    private readonly metrics: Metrics,
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
    const failures = this.failures.get(key);
    if (failures && this.clock.now() < failures.until) return false;
    let limit = size;
    while (mayGoOn()) {
      let held: readonly string[] = [];
      try {
        const { taken, more } = await this.inHand.during(scope, queue.kind, limit, (most, write) =>
          work(most, (ids) => write((held = ids))),
        );
        this.failures.delete(key);
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
      await this.note(tx, scope, queue, { subjectId, code }, now);
      await this.inHand.forget(tx, scope, queue.kind, subjectId);
      return true;
    });
    if (isAside)
      this.logger.error({ err: error, kind: queue.kind, subjectId, code, ...scope }, 'Work was set aside');
  }

  /** Puts a row on the list that its owner has taken out of its queue in the same transaction. */
  async note(
    tx: Transaction,
    scope: TenantScope,
    { kind }: WorkQueue,
    row: { readonly subjectId: string; readonly code: SetAsideCode },
    now: Date,
  ): Promise<void> {
    await this.repository.add(tx, scope, { kind, ...row }, now);
    tx.afterCommit(() => this.metrics.setAside.inc({ kind }));
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
    if (failure.kind === 'lasting' && alone !== undefined) {
      await this.setAside(scope, queue, alone, { code: failure.code, error });
      return 1;
    }
    const isDeferred = queue.defer !== undefined && alone !== undefined;
    const key = isDeferred ? `${batch.key} ${alone}` : batch.key;
    const now = this.clock.now();
    const isCostly = failure.kind === 'large' && alone !== undefined;
    const failures = oneMore(this.failures.get(key), now, isCostly && isDeferred);
    this.remember(key, failures);
    this.logger.warn({ err: error, kind: queue.kind, tries: failures.tries, ...scope }, 'A batch failed');
    // Once may be chance; then the row that it is about is looked for, so that the others need not wait.
    if (size > 1 && failures.tries > 1) return size >> 1;
    if (isExhausted(failures, now, isCostly) && alone !== undefined) {
      await this.setAside(scope, queue, alone, { code: reasonAfterPatience(error), error });
      this.failures.delete(`${batch.key} ${alone}`);
    } else if (isDeferred)
      await this.database.inScope(scope, async (tx) => queue.defer?.(tx, scope, alone, failures.until, now));
    return isDeferred ? 1 : 'pause';
  }

  private remember(key: string, failures: Failures): void {
    this.failures.delete(key);
    this.failures.set(key, failures);
    const [longest] = this.failures.keys();
    if (this.failures.size > MOST_FAILING && longest !== undefined) this.failures.delete(longest);
  }
}

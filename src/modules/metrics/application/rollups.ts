/**
 * Adds pending deltas to the rollups, many at a time. Readers combine both, so figures are the same before and after.
 * Deltas are never dead-lettered, since figures would then be wrong: a failed batch is retried later, and until then
 * only reads are slower.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { MINUTE } from '../../../kernel/duration.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, isUnreachable, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { ROLLUPS, type RollupName } from '../domain/rollup.js';
import { ActivityRepository } from '../persistence/activity.repository.js';
import { RollupRepository } from '../persistence/rollup.repository.js';

/** Deltas per transaction. */
const MAX_BATCH_DELTAS = 5_000;
/** How long a tenant is skipped after its deltas could not be added, in milliseconds. */
const RETRY_DELAY_MS = 5 * MINUTE;

/** How much the rollups differed from their source rows: in hours and dimensions, or in contacts and days. */
export type Corrections = Readonly<Record<RollupName | 'activity', number>>;

@Injectable()
export class Rollups {
  /** Until when tenants are skipped, in real time. */
  private readonly skippedUntil = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly repository: RollupRepository,
    private readonly activity: ActivityRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Adds the tenant's deltas to its rollups until none is left or `mayContinue` returns false.
   * @returns whether some may be left.
   */
  async fold(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const key = scopeKey(scope);
    if ((this.skippedUntil.get(key) ?? 0) > performance.now()) return false;
    this.skippedUntil.delete(key);
    try {
      for (const name of ROLLUPS)
        for (let folded = MAX_BATCH_DELTAS; folded === MAX_BATCH_DELTAS;) {
          if (!mayContinue()) return true;
          folded = await this.database.inScope(scope, async (tx) =>
            (await this.repository.tryLock(tx, scope))
              ? this.repository.fold(tx, scope, name, MAX_BATCH_DELTAS)
              : 0,
          );
        }
      return false;
    } catch (error) {
      if (isUnreachable(error)) throw error;
      this.skippedUntil.set(key, performance.now() + RETRY_DELAY_MS);
      this.logger.error({ err: error, ...scope }, 'Rollup deltas could not be applied');
      return false;
    }
  }

  /**
   * Recounts the source rows and corrects rollups that differ, without blocking readers and writers. Rows that
   * retention has deleted stay counted.
   * @returns the number of differences; all 0 if the rollups were correct.
   */
  async rebuild(scope: TenantScope): Promise<Corrections> {
    const corrections: Partial<Record<RollupName | 'activity', number>> = {};
    for (const name of ROLLUPS) {
      corrections[name] = await this.database.inScope(scope, (tx) =>
        this.repository.correct(tx, scope, name),
      );
      // One transaction per batch: within a single transaction, each batch would scan the deleted rows of all batches
      // before it.
      while (
        (await this.withExclusiveLock(scope, (tx) =>
          this.repository.fold(tx, scope, name, MAX_BATCH_DELTAS),
        )) === MAX_BATCH_DELTAS
      );
      await this.withExclusiveLock(scope, (tx) => this.repository.recomputeLevels(tx, scope, name));
    }
    corrections.activity = await this.database.inScope(scope, (tx) => this.activity.correct(tx, scope));
    return corrections as Corrections;
  }

  /** Runs a transaction during which no one else adds to the tenant's rollups. */
  private withExclusiveLock<Result>(
    scope: TenantScope,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.database.inScope(scope, async (tx) => {
      await this.repository.lock(tx, scope);
      return work(tx);
    });
  }
}

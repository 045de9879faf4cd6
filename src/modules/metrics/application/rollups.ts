/**
 * Keeps sums short of notes: what transactions have noted is added to the sums, many notes at a time. Figures are the same
 * before and behind it, since whoever reads takes both. Notes are never set aside, as figures would be wrong without them: what
 * fails is tried again by and by, and only makes reading slower.
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

/** Notes of a transaction. */
const BATCH = 5_000;
/** Milliseconds for which a tenant rests whose notes could not be added. */
const PAUSE = 5 * MINUTE;

/** By how much sums differed from the rows that they are of: hours and dimensions, or contacts and days. */
export type Corrections = Readonly<Record<RollupName | 'activity', number>>;

@Injectable()
export class Rollups {
  /** Until when tenants rest, of real time. */
  private readonly resting = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly sums: RollupRepository,
    private readonly activity: ActivityRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Adds the tenant's notes to its sums until none is left or `mayGoOn` says stop.
   * @returns whether some may be left.
   */
  async fold(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const key = scopeKey(scope);
    if ((this.resting.get(key) ?? 0) > performance.now()) return false;
    this.resting.delete(key);
    try {
      for (const name of ROLLUPS)
        for (let taken = BATCH; taken === BATCH;) {
          if (!mayGoOn()) return true;
          taken = await this.database.inScope(scope, async (tx) =>
            (await this.sums.tryLock(tx, scope)) ? this.sums.fold(tx, scope, name, BATCH) : 0,
          );
        }
      return false;
    } catch (error) {
      if (isUnreachable(error)) throw error;
      this.resting.set(key, performance.now() + PAUSE);
      this.logger.error({ err: error, ...scope }, 'Rollup deltas could not be applied');
      return false;
    }
  }

  /**
   * Counts anew what sums are of, and puts right where they differ; meanwhile everybody reads and writes as always. What retention
   * has deleted stays counted.
   * @returns where they differed; 0 everywhere as it should be.
   */
  async rebuild(scope: TenantScope): Promise<Corrections> {
    const found: Partial<Record<RollupName | 'activity', number>> = {};
    for (const name of ROLLUPS) {
      found[name] = await this.database.inScope(scope, (tx) => this.sums.correct(tx, scope, name));
      // A transaction each: one that adds many would look at all that it has deleted, time and again.
      while ((await this.alone(scope, (tx) => this.sums.fold(tx, scope, name, BATCH))) === BATCH);
      await this.alone(scope, (tx) => this.sums.level(tx, scope, name));
    }
    found.activity = await this.database.inScope(scope, (tx) => this.activity.correct(tx, scope));
    return found as Corrections;
  }

  /** A transaction during which nobody else adds to the tenant's sums. */
  private alone<Result>(scope: TenantScope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.database.inScope(scope, async (tx) => {
      await this.sums.lock(tx, scope);
      return work(tx);
    });
  }
}

/** Runs the statements of rollup-sql. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepareTenantScan } from '../../../platform/database/tenant-scan.js';
import type { RollupName } from '../domain/rollup.js';
import { coarseCorrectionSql, correctionSql, deleteEmptySql, foldSql } from './rollup-sql.js';

const lockKeyOf = ({ workspaceId, environment }: TenantScope): string =>
  `rollups ${workspaceId} ${environment}`;

@Injectable()
export class RollupRepository {
  /**
   * Prevents others from adding to the tenant's rollups until the transaction ends. @returns false if another
   * transaction holds the lock.
   */
  async tryLock(tx: Transaction, scope: TenantScope): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [lockKeyOf(scope)],
    );
    return row?.locked ?? false;
  }

  /** As `tryLock`, but waits for the lock. */
  async lock(tx: Transaction, scope: TenantScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKeyOf(scope)]);
  }

  /** Adds at most `limit` deltas to the rollup. @returns their number. */
  async fold(tx: Transaction, scope: TenantScope, name: RollupName, limit: number): Promise<number> {
    const [row] = await tx.query<{ taken: number }>(
      foldSql(name),
      [scope.workspaceId, scope.environment, limit],
      `rollups-fold-${name}`,
    );
    return row?.taken ?? 0;
  }

  /**
   * Writes the difference between the rollup and its source rows as deltas. @returns the number of hours and dimensions
   * that differ.
   */
  async correct(tx: Transaction, scope: TenantScope, name: RollupName): Promise<number> {
    await prepareTenantScan(tx);
    return tx.execute(correctionSql(name), [scope.workspaceId, scope.environment]);
  }

  /** Recomputes all levels from the most detailed one. The caller holds the lock. */
  async recomputeLevels(tx: Transaction, scope: TenantScope, name: RollupName): Promise<void> {
    const values = [scope.workspaceId, scope.environment];
    await prepareTenantScan(tx);
    await tx.execute(coarseCorrectionSql(name), values);
    await tx.execute(deleteEmptySql(name), values);
  }
}

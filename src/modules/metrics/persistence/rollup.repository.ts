/** Storage of sums: see rollup-sql. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { planForAll } from '../../../platform/database/whole-tenant.js';
import type { RollupName } from '../domain/rollup.js';
import { coarseCorrectionSql, correctionSql, emptyGoneSql, foldSql } from './rollup-sql.js';

const lockOf = ({ workspaceId, environment }: TenantScope): string => `rollups ${workspaceId} ${environment}`;

@Injectable()
export class RollupRepository {
  /** Has nobody else add to the tenant's sums until the transaction ends. @returns false where somebody does already. */
  async tryLock(tx: Transaction, scope: TenantScope): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [lockOf(scope)],
    );
    return row?.locked ?? false;
  }

  /** As `tryLock`, and waits for its turn. */
  async lock(tx: Transaction, scope: TenantScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockOf(scope)]);
  }

  /** Adds at most so many notes of changes to the sums. @returns how many. */
  async fold(tx: Transaction, scope: TenantScope, name: RollupName, limit: number): Promise<number> {
    const [row] = await tx.query<{ taken: number }>(
      foldSql(name),
      [scope.workspaceId, scope.environment, limit],
      `rollups-fold-${name}`,
    );
    return row?.taken ?? 0;
  }

  /** Notes down by how much the sums differ from the rows that they are of. @returns in how many hours and dimensions. */
  async correct(tx: Transaction, scope: TenantScope, name: RollupName): Promise<number> {
    await planForAll(tx);
    return tx.execute(correctionSql(name), [scope.workspaceId, scope.environment]);
  }

  /** Has all levels follow from the one that tells most; nobody adds to the sums meanwhile. */
  async level(tx: Transaction, scope: TenantScope, name: RollupName): Promise<void> {
    const values = [scope.workspaceId, scope.environment];
    await planForAll(tx);
    await tx.execute(coarseCorrectionSql(name), values);
    await tx.execute(emptyGoneSql(name), values);
  }
}

/** Stores the uses of allowances, shared by all processes. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { AllowanceUse } from '../domain/allowance.js';

@Injectable()
export class AllowanceRepository {
  /** Returns the uses; concurrent callers wait until the transaction ends. */
  async lock(tx: Transaction, scope: WorkspaceScope, name: string): Promise<readonly AllowanceUse[]> {
    const [row] = await tx.query<{ uses: AllowanceUse[] }>(
      `INSERT INTO allowances AS a (workspace_id, name) VALUES ($1, $2)
       ON CONFLICT (workspace_id, name) DO UPDATE SET name = a.name
       RETURNING uses`,
      [scope.workspaceId, name],
    );
    return row?.uses ?? [];
  }

  async store(
    tx: Transaction,
    scope: WorkspaceScope,
    name: string,
    uses: readonly AllowanceUse[],
  ): Promise<void> {
    await tx.execute('UPDATE allowances SET uses = $3::jsonb WHERE workspace_id = $1 AND name = $2', [
      scope.workspaceId,
      name,
      JSON.stringify(uses),
    ]);
  }
}

/** The event usage of monthly caps. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { monthOf } from '../domain/plan.js';

@Injectable()
export class MonthlyUsageRepository {
  async add(tx: Transaction, scope: TenantScope, amount: number, now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO monthly_usage AS u (workspace_id, environment, month, events) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET events = u.events + excluded.events`,
      [scope.workspaceId, scope.environment, monthOf(now), amount],
      'monthly-usage-add',
    );
  }

  /** Returns the usage of the month; concurrent callers wait until this transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, now: Date): Promise<number> {
    const [row] = await tx.query<{ used: number }>(
      `INSERT INTO monthly_usage AS u (workspace_id, environment, month) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET events = u.events
       RETURNING events::float8 AS used`,
      [scope.workspaceId, scope.environment, monthOf(now)],
      'monthly-usage-lock',
    );
    return row?.used ?? 0;
  }

  /** Returns the committed usage of the month. */
  async used(tx: Transaction, scope: TenantScope, now: Date): Promise<number> {
    const [row] = await tx.query<{ used: number }>(
      `SELECT events::float8 AS used FROM monthly_usage WHERE workspace_id = $1 AND environment = $2 AND month = $3`,
      [scope.workspaceId, scope.environment, monthOf(now)],
    );
    return row?.used ?? 0;
  }

  /** Resets the month. */
  async reset(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    await tx.execute(
      'UPDATE monthly_usage SET events = 0 WHERE workspace_id = $1 AND environment = $2 AND month = $3',
      [scope.workspaceId, scope.environment, monthOf(now)],
    );
  }
}

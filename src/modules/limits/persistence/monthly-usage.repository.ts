/** How much has been used of monthly caps. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { monthOf } from '../domain/month.js';

/** What a plan caps by the month. */
export type Counted = 'events' | 'emails';

@Injectable()
export class MonthlyUsageRepository {
  async add(tx: Transaction, scope: TenantScope, counted: Counted, amount: number, now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO monthly_usage AS u (workspace_id, environment, month, ${counted}) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET ${counted} = u.${counted} + excluded.${counted}`,
      [scope.workspaceId, scope.environment, monthOf(now), amount],
      `monthly-usage-add-${counted}`,
    );
  }

  /** What has been used in the month, of each kind. */
  async of(tx: Transaction, scope: TenantScope, now: Date): Promise<Readonly<Record<Counted, number>>> {
    const [row] = await tx.query<Record<Counted, number>>(
      `SELECT events::float8 AS events, emails::float8 AS emails FROM monthly_usage
       WHERE workspace_id = $1 AND environment = $2 AND month = $3`,
      [scope.workspaceId, scope.environment, monthOf(now)],
    );
    return row ?? { events: 0, emails: 0 };
  }

  /** What has been used in the month of one kind; whoever else asks so waits until this transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, counted: Counted, now: Date): Promise<number> {
    const [row] = await tx.query<{ used: number }>(
      `INSERT INTO monthly_usage AS u (workspace_id, environment, month) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET ${counted} = u.${counted}
       RETURNING ${counted}::float8 AS used`,
      [scope.workspaceId, scope.environment, monthOf(now)],
      `monthly-usage-lock-${counted}`,
    );
    return row?.used ?? 0;
  }
}

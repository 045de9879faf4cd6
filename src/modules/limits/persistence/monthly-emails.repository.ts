/** The email usage of monthly caps. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class MonthlyEmailsRepository {
  async add(tx: Transaction, scope: TenantScope, amount: number, month: string): Promise<void> {
    await tx.execute(
      `INSERT INTO monthly_emails AS m (workspace_id, environment, month, used) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET used = m.used + excluded.used`,
      [scope.workspaceId, scope.environment, month, amount],
      'monthly-emails-add',
    );
  }

  /** Returns the usage of the month; concurrent callers wait until this transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, month: string): Promise<number> {
    const [row] = await tx.query<{ used: number }>(
      `INSERT INTO monthly_emails AS m (workspace_id, environment, month) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET used = m.used RETURNING used::float8 AS used`,
      [scope.workspaceId, scope.environment, month],
      'monthly-emails-lock',
    );
    return row?.used ?? 0;
  }

  /** Returns the committed usage of the month. */
  async used(
    tx: Transaction,
    scope: TenantScope,
    month: string,
  ): Promise<{ readonly used: number; readonly renewedAt: Date | null }> {
    const [row] = await tx.query<{ used: number; renewedAt: Date | null }>(
      `SELECT used::float8 AS used, reset_at AS "renewedAt" FROM monthly_emails
       WHERE workspace_id = $1 AND environment = $2 AND month = $3`,
      [scope.workspaceId, scope.environment, month],
    );
    return row ?? { used: 0, renewedAt: null };
  }

  /** Refunds charges made at these times of the month, except those before its reset. */
  async refund(
    tx: Transaction,
    scope: TenantScope,
    month: string,
    chargedAt: readonly Date[],
  ): Promise<void> {
    await tx.execute(
      `UPDATE monthly_emails SET used = greatest(0, used - (
         SELECT count(*) FROM unnest($4::timestamptz[]) AS charge(moment)
         WHERE reset_at IS NULL OR charge.moment > reset_at))
       WHERE workspace_id = $1 AND environment = $2 AND month = $3`,
      [scope.workspaceId, scope.environment, month, chargedAt],
      'monthly-emails-give-back',
    );
  }

  /** Resets the month. */
  async reset(tx: Transaction, scope: TenantScope, month: string, now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO monthly_emails (workspace_id, environment, month, reset_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET used = 0, reset_at = excluded.reset_at`,
      [scope.workspaceId, scope.environment, month, now],
    );
  }
}

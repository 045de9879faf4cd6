/** What unsubscribing reads and writes. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class UnsubscribeRepository {
  /**
   * Marks a subscribed contact unsubscribed; leaves one that is so already, or deleted, as it is.
   * @returns whether it was changed.
   */
  async unsubscribe(tx: Transaction, scope: TenantScope, contactId: string, now: Date): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE contacts SET subscription_status = 'unsubscribed', updated_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND subscription_status = 'subscribed'`,
      [scope.workspaceId, scope.environment, contactId, now],
    );
    return changed > 0;
  }

  async isUnsubscribed(tx: Transaction, scope: TenantScope, contactId: string): Promise<boolean> {
    const [contact] = await tx.query<{ status: string }>(
      `SELECT subscription_status AS status FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, contactId],
    );
    return contact?.status === 'unsubscribed';
  }

  /** Under which name the workspace writes to people: the company's, else its own. */
  async senderName(tx: Transaction, scope: TenantScope): Promise<string> {
    const [row] = await tx.query<{ name: string }>(
      `SELECT coalesce(nullif(company->>'name', ''), name) AS name FROM workspaces WHERE id = $1`,
      [scope.workspaceId],
    );
    return row?.name ?? 'this sender';
  }
}

/** Whom the pages of unsubscribing speak for. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class UnsubscribeRepository {
  /** Under which name the workspace writes to people: the company's, else its own. */
  async senderName(tx: Transaction, scope: TenantScope): Promise<string> {
    const [row] = await tx.query<{ name: string }>(
      `SELECT coalesce(nullif(company->>'name', ''), name) AS name FROM workspaces WHERE id = $1`,
      [scope.workspaceId],
    );
    return row?.name ?? 'this sender';
  }
}

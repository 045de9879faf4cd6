/**
 * A tenant's number of contacts, updated in the transactions that change it. Section 8.2: the plan's contact limit.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class ContactCountRepository {
  /** Locks and returns the number. Other callers wait until this transaction ends. */
  async lock(tx: Transaction, scope: TenantScope): Promise<number> {
    const [row] = await tx.query<{ contacts: number }>(
      `INSERT INTO contact_counts AS n (workspace_id, environment, contacts) VALUES ($1, $2, 0)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = n.contacts RETURNING contacts`,
      [scope.workspaceId, scope.environment],
      'contact-counts-lock',
    );
    return row?.contacts ?? 0;
  }

  /** Adds to the number; negative if contacts were deleted. */
  async add(tx: Transaction, scope: TenantScope, change: number): Promise<void> {
    if (change === 0) return;
    await tx.execute(
      `INSERT INTO contact_counts AS n (workspace_id, environment, contacts) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = n.contacts + excluded.contacts`,
      [scope.workspaceId, scope.environment, change],
      'contact-counts-add',
    );
  }

  /** The committed number. */
  async of(tx: Transaction, scope: TenantScope): Promise<number> {
    const [row] = await tx.query<{ contacts: number }>(
      'SELECT contacts FROM contact_counts WHERE workspace_id = $1 AND environment = $2',
      [scope.workspaceId, scope.environment],
    );
    return row?.contacts ?? 0;
  }
}

/** The number of a tenant's contacts, kept in the transactions that change it. Section 8.2: the plan's contact limit. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class ContactCountRepository {
  /** How many there are. Whoever else wants to know it for sure waits until this transaction ends. */
  async lock(tx: Transaction, scope: TenantScope): Promise<number> {
    const [row] = await tx.query<{ contacts: number }>(
      `INSERT INTO contact_counts AS n (workspace_id, environment, contacts) VALUES ($1, $2, 0)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = n.contacts RETURNING contacts`,
      [scope.workspaceId, scope.environment],
      'contact-counts-lock',
    );
    return row?.contacts ?? 0;
  }

  /** Counts contacts that came, or went, where the number is negative. */
  async add(tx: Transaction, scope: TenantScope, change: number): Promise<void> {
    if (change === 0) return;
    await tx.execute(
      `INSERT INTO contact_counts AS n (workspace_id, environment, contacts) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET contacts = n.contacts + excluded.contacts`,
      [scope.workspaceId, scope.environment, change],
      'contact-counts-add',
    );
  }

  /** How many there are, as far as committed. */
  async of(tx: Transaction, scope: TenantScope): Promise<number> {
    const [row] = await tx.query<{ contacts: number }>(
      'SELECT contacts FROM contact_counts WHERE workspace_id = $1 AND environment = $2',
      [scope.workspaceId, scope.environment],
    );
    return row?.contacts ?? 0;
  }
}

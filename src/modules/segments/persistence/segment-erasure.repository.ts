/** Removes a contact from segments, including those that it has left. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class SegmentErasureRepository {
  /** Deletes the contact's memberships and its touch. Returns how many memberships there were. */
  async deleteContact(tx: Transaction, scope: TenantScope, contactId: string): Promise<number> {
    const values = [scope.workspaceId, scope.environment, contactId];
    await tx.execute(
      'DELETE FROM segment_touches WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
      values,
    );
    return tx.execute(
      'DELETE FROM segment_members WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
      values,
    );
  }
}

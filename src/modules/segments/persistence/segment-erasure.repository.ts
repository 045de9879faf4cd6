/** Removes a person from the segments, also from those that the person has left. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class SegmentErasureRepository {
  /** Deletes the contact's memberships, and the mark that asks for new ones; gives how many memberships there were. */
  async forget(tx: Transaction, scope: TenantScope, contactId: string): Promise<number> {
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

/** Takes everything personal out of a contact's row; the row stays, since others count it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class ContactErasureRepository {
  /** Makes a contact that was read with a lock one of nobody: deleted, under another identifier. */
  async anonymise(
    tx: Transaction,
    scope: TenantScope,
    { id, pseudonym }: { readonly id: string; readonly pseudonym: string },
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE contacts SET external_id = $4, email = NULL, phone = NULL, first_name = NULL, last_name = NULL,
         product_type = NULL, timezone = NULL, locale = NULL, properties = '{}', tags = '{}',
         subscription_status = 'deleted', updated_at = $5
       WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id, pseudonym, now],
    );
  }
}

/** Removes personal data from the ledger of messages. The number of messages and their outcomes stay. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class EmailErasureRepository {
  /**
   * Removes the address, the subject, the server's answer and the options from the contact's messages, and the
   * idempotency keys of requests for them. Queued messages stay queued: a deleted contact gets no mail.
   * @returns how many messages there are, and how many of them are being sent.
   */
  async anonymise(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
  ): Promise<{ readonly emails: number; readonly sending: number }> {
    await tx.execute(
      `DELETE FROM send_keys k USING email_logs l
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.contact_id = $3
         AND k.workspace_id = $1 AND k.environment = $2 AND k.email_log_id = l.id`,
      [scope.workspaceId, scope.environment, contactId],
    );
    const rows = await tx.query<{ status: string }>(
      `UPDATE email_logs SET to_email = NULL, subject = NULL, error_detail = NULL, bounce_detail = NULL, options = '{}'
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 RETURNING status`,
      [scope.workspaceId, scope.environment, contactId],
    );
    return { emails: rows.length, sending: rows.filter(({ status }) => status === 'sending').length };
  }
}

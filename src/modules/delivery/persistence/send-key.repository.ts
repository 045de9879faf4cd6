/** The idempotency keys of direct sends, by environment. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** How many expired keys are deleted when a key is added. It is more than one, so expired keys do not accumulate. */
const MAX_DELETED_KEYS = 4;

@Injectable()
export class SendKeyRepository {
  /**
   * Takes a key for a message and deletes a few expired keys. A concurrent request for the same key waits until the
   * transaction ends.
   * @returns whether the key was free: never used, or expired.
   */
  async reserve(
    tx: Transaction,
    scope: TenantScope,
    key: string,
    emailLogId: string,
    now: Date,
    expiry: Date,
  ): Promise<boolean> {
    const reserved = await tx.execute(
      `WITH old AS (
         DELETE FROM send_keys WHERE workspace_id = $1 AND environment = $2 AND key IN (
           SELECT key FROM send_keys
           WHERE workspace_id = $1 AND environment = $2 AND expires_at <= $6 AND key <> $3
           ORDER BY expires_at LIMIT ${MAX_DELETED_KEYS} FOR UPDATE SKIP LOCKED))
       INSERT INTO send_keys AS k (workspace_id, environment, key, email_log_id, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, environment, key) DO UPDATE
         SET email_log_id = excluded.email_log_id, expires_at = excluded.expires_at WHERE k.expires_at <= $6`,
      [scope.workspaceId, scope.environment, key, emailLogId, expiry, now],
      'send-keys-take',
    );
    return reserved > 0;
  }

  /** The message that used a key which has not expired. */
  async usedBy(tx: Transaction, scope: TenantScope, key: string, now: Date): Promise<string | undefined> {
    const [row] = await tx.query<{ id: string }>(
      `SELECT email_log_id AS id FROM send_keys
       WHERE workspace_id = $1 AND environment = $2 AND key = $3 AND expires_at > $4`,
      [scope.workspaceId, scope.environment, key, now],
      'send-keys-used',
    );
    return row?.id;
  }
}

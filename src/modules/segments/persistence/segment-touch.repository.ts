/** Contacts whose data changed since their segments were last decided. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class SegmentTouchRepository {
  /**
   * Marks contacts. A mark that exists is also written: a worker that is about to process it then either sees this
   * transaction's changes or sees the mark again.
   */
  async touch(tx: Transaction, scope: TenantScope, contactIds: readonly string[], now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO segment_touches AS t (workspace_id, environment, contact_id, touched_at)
       SELECT $1, $2, u.id, $4 FROM unnest($3::uuid[]) AS u(id) ORDER BY u.id
       ON CONFLICT (workspace_id, contact_id) DO UPDATE SET touched_at = t.touched_at`,
      [scope.workspaceId, scope.environment, contactIds, now],
      'segment-touches',
    );
  }

  /** Deletes a mark. Returns whether there was one. */
  async remove(tx: Transaction, scope: TenantScope, contactId: string): Promise<boolean> {
    const count = await tx.execute(
      'DELETE FROM segment_touches WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
      [scope.workspaceId, scope.environment, contactId],
    );
    return count > 0;
  }

  /** The contacts with the oldest marks; the marks stay locked. */
  async oldest(tx: Transaction, scope: TenantScope, limit: number): Promise<string[]> {
    const rows = await tx.query<{ contact_id: string }>(
      `SELECT contact_id FROM segment_touches WHERE workspace_id = $1 AND environment = $2
       ORDER BY touched_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, limit],
      'segment-touches-oldest',
    );
    return rows.map((row) => row.contact_id);
  }

  /** Deletes marks. */
  async removeAll(tx: Transaction, scope: TenantScope, contactIds: readonly string[]): Promise<void> {
    await tx.execute(
      'DELETE FROM segment_touches WHERE workspace_id = $1 AND environment = $2 AND contact_id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, contactIds],
      'segment-touches-take',
    );
  }
}

/** Removes personal data from events. Their number stays. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

@Injectable()
export class EventErasureRepository {
  /** Empties the events of an external_id and gives them another one. Returns their ids. */
  async anonymise(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    pseudonym: string,
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `UPDATE events SET external_id = $4, attributes = '{}', contact = NULL
       WHERE workspace_id = $1 AND environment = $2 AND external_id = $3 RETURNING id`,
      [scope.workspaceId, scope.environment, externalId, pseudonym],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes the latest events of an external_id. */
  async deleteLatest(tx: Transaction, scope: TenantScope, externalId: string): Promise<void> {
    await tx.execute(
      'DELETE FROM latest_events WHERE workspace_id = $1 AND environment = $2 AND external_id = $3',
      [scope.workspaceId, scope.environment, externalId],
    );
  }

  /** Deletes the idempotency keys of events: they are texts from the application and may name the person. */
  async deleteKeys(tx: Transaction, scope: TenantScope, eventIds: readonly string[]): Promise<void> {
    await tx.execute(
      'DELETE FROM idempotency_keys WHERE workspace_id = $1 AND environment = $2 AND event_id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, eventIds],
    );
  }
}

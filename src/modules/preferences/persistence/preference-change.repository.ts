/** Changes of preferences; rows are only ever inserted. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PreferenceChange } from '../domain/preference-change.js';
import { PreferenceChangeEntity } from './preference-change.entity.js';

const FIELDS = `id, contact_id AS "contactId", kind, topic, until, way, message_id AS "messageId", actor,
  changed_at AS "changedAt"`;

@Injectable()
export class PreferenceChangeRepository {
  async insert(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    changes: readonly PreferenceChange[],
  ): Promise<void> {
    await tx.manager.insert(
      PreferenceChangeEntity,
      changes.map((change) => ({ ...change, workspaceId, environment })),
    );
  }

  /** Changes of a contact, newest first. @param before the id of a change; null begins with the newest. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    { limit, before }: { readonly limit: number; readonly before: string | null },
  ): Promise<PreferenceChange[]> {
    return tx.query<PreferenceChange>(
      `SELECT ${FIELDS} FROM preference_changes
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND ($4::uuid IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $5`,
      [scope.workspaceId, scope.environment, contactId, before, limit],
    );
  }

  /** How many changes of a contact there are since a time. @param countLimit counting stops at this number. */
  async countSince(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    since: Date,
    countLimit: number,
  ): Promise<number> {
    const [row] = await tx.query<{ readonly count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT changed_at FROM preference_changes WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3
         ORDER BY id DESC LIMIT $5) AS newest
       WHERE changed_at > $4`,
      [scope.workspaceId, scope.environment, contactId, since, countLimit],
    );
    return row?.count ?? 0;
  }
}

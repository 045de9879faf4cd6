/** Stores audit entries, which are append-only. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { AuditEntry } from '../domain/audit-entry.js';

const FIELDS = 'id, at, actor, network, action, subject_id AS "subjectId", before, after';

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async add(tx: Transaction, scope: WorkspaceScope, entry: AuditEntry): Promise<void> {
    const { id, at, actor, network, action, subjectId, before, after } = entry;
    const json = (side: JsonObject | null): string | null => (side ? JSON.stringify(side) : null);
    await tx.execute(
      `INSERT INTO audit_log (workspace_id, id, at, actor, network, action, subject_id, before, after)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [scope.workspaceId, id, at, actor, network, action, subjectId, json(before), json(after)],
    );
  }

  /** A page, the latest first. @param subjectId null for all. */
  async page(
    scope: WorkspaceScope,
    subjectId: string | null,
    { first, after }: PageRequest,
  ): Promise<Slice<AuditEntry>> {
    return this.database.listInScope(scope, async (tx) => {
      const rows = await tx.query<AuditEntry>(
        `SELECT ${FIELDS} FROM audit_log
         WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR subject_id = $3)
         ORDER BY id DESC LIMIT $4`,
        [scope.workspaceId, after?.id ?? null, subjectId, first + 1],
      );
      return sliceOf(rows, first);
    });
  }
}

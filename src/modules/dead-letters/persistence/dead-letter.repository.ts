/** Stores the list of dead letters. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { DeadLetter, WorkKind } from '../domain/dead-letter.js';

const COLUMNS = 'id, kind, subject_id AS "subjectId", code, set_aside_at AS at';

@Injectable()
export class DeadLetterRepository {
  /** Adds work to the list. It gets a new id even if the list already has an entry for it. */
  async add(
    tx: Transaction,
    scope: TenantScope,
    { kind, subjectId, code }: Omit<DeadLetter, 'id' | 'at'>,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO set_aside_work (workspace_id, environment, id, kind, subject_id, code, set_aside_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workspace_id, kind, subject_id, environment) DO UPDATE
         SET id = excluded.id, code = excluded.code, set_aside_at = excluded.set_aside_at`,
      [scope.workspaceId, scope.environment, uuidv7(now.getTime()), kind, subjectId, code, now],
    );
  }

  /** Work of these kinds, newest first; with `after`, an id, only what follows it. */
  async list(
    tx: Transaction,
    scope: TenantScope,
    kinds: readonly WorkKind[],
    limit: number,
    after: string | null,
  ): Promise<DeadLetter[]> {
    return tx.query<DeadLetter>(
      `SELECT ${COLUMNS} FROM set_aside_work
       WHERE workspace_id = $1 AND environment = $2 AND kind = ANY ($5) AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $3`,
      [scope.workspaceId, scope.environment, limit, after, kinds],
    );
  }

  /** The dead letters of these rows. */
  async listBySubject(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    subjectIds: readonly string[],
  ): Promise<DeadLetter[]> {
    return tx.query<DeadLetter>(
      `SELECT ${COLUMNS} FROM set_aside_work
       WHERE workspace_id = $1 AND environment = $2 AND kind = $3 AND subject_id = ANY ($4::uuid[])`,
      [scope.workspaceId, scope.environment, kind, subjectIds],
    );
  }

  /** The number of dead letters of these kinds. */
  async count(tx: Transaction, scope: TenantScope, kinds: readonly WorkKind[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM set_aside_work
       WHERE workspace_id = $1 AND environment = $2 AND kind = ANY ($3)`,
      [scope.workspaceId, scope.environment, kinds],
    );
    return row?.count ?? 0;
  }

  /** Removes work from the list and returns it; undefined when there is none of that id. */
  async remove(tx: Transaction, scope: TenantScope, id: string): Promise<DeadLetter | undefined> {
    const [work] = await tx.query<DeadLetter>(
      `DELETE FROM set_aside_work WHERE workspace_id = $1 AND environment = $2 AND id = $3 RETURNING ${COLUMNS}`,
      [scope.workspaceId, scope.environment, id],
    );
    return work;
  }

  /** Removes work from the list by its subject. */
  async removeBySubject(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    subjectIds: readonly string[],
  ): Promise<void> {
    await tx.execute(
      `DELETE FROM set_aside_work
       WHERE workspace_id = $1 AND environment = $2 AND kind = $3 AND subject_id = ANY ($4::uuid[])`,
      [scope.workspaceId, scope.environment, kind, subjectIds],
      'set-aside-forget',
    );
  }
}

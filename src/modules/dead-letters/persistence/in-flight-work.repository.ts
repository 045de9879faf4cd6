/** Records claimed work on the connection that closes when its process dies, which is how a death is detected. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import type { WorkKind } from '../domain/dead-letter.js';

const OF_KIND = `w.workspace_id = $1 AND w.environment = $2 AND w.kind = $3`;
const ROWS = `${OF_KIND} AND w.subject_id = ANY ($4::uuid[])`;

/** Counts a death for rows whose holder is gone, and deletes old records of other rows. */
const COUNT_CRASHES_SQL = `
  WITH forgotten AS (
    DELETE FROM work_in_hand w WHERE ${OF_KIND} AND w.taken_at <= now() - interval '1 hour'
      AND NOT w.subject_id = ANY ($4::uuid[])),
  counted AS (
    UPDATE work_in_hand w SET holder = NULL, deaths = w.deaths + 1
    WHERE ${ROWS} AND w.holder IS NOT NULL AND ${ProcessLease.isExpiredSql('w.holder')}
    RETURNING w.subject_id, w.deaths)
  SELECT subject_id AS id, deaths FROM counted
  UNION ALL
  SELECT w.subject_id, w.deaths FROM work_in_hand w
  WHERE ${ROWS} AND w.deaths > 0 AND w.subject_id NOT IN (SELECT subject_id FROM counted)`;

/** In the order of ids, so that two processes never deadlock. */
const CLAIM_SQL = `
  INSERT INTO work_in_hand AS w (workspace_id, environment, kind, subject_id, holder, deaths, taken_at)
  SELECT $1, $2, $3, u.id, $5, 0, now() FROM unnest($4::uuid[]) AS u(id) ORDER BY u.id
  ON CONFLICT (workspace_id, environment, kind, subject_id) DO UPDATE
    SET holder = excluded.holder, taken_at = excluded.taken_at`;

const COMPLETE_SQL = `DELETE FROM work_in_hand w WHERE ${ROWS}`;

const RELEASE_SQL = `
  WITH innocent AS (DELETE FROM work_in_hand w WHERE ${ROWS} AND w.deaths = 0)
  UPDATE work_in_hand w SET holder = NULL WHERE ${ROWS} AND w.deaths > 0`;

@Injectable()
export class InFlightWorkRepository {
  constructor(private readonly lease: ProcessLease) {}

  /** The number of processes that died with each of the rows claimed. Rows without a death are left out. */
  async crashCounts(
    scope: TenantScope,
    kind: WorkKind,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.lease.runStatement<{ id: string; deaths: number }>(
      scope,
      COUNT_CRASHES_SQL,
      values(scope, kind, ids),
    );
    return new Map(rows.map(({ id, deaths }) => [id, deaths]));
  }

  /** Records that this process has claimed the rows. */
  async claim(scope: TenantScope, kind: WorkKind, ids: readonly string[]): Promise<void> {
    const holder = await this.lease.number();
    await this.lease.runStatement(scope, CLAIM_SQL, [...values(scope, kind, ids), holder]);
  }

  /** Forgets rows that are done. */
  async complete(scope: TenantScope, kind: WorkKind, ids: readonly string[]): Promise<void> {
    await this.lease.runStatement(scope, COMPLETE_SQL, values(scope, kind, ids));
  }

  /** Releases the claim on the rows and keeps their counts of deaths. */
  async release(scope: TenantScope, kind: WorkKind, ids: readonly string[]): Promise<void> {
    await this.lease.runStatement(scope, RELEASE_SQL, values(scope, kind, ids));
  }

  /** As `complete`, for a row that leaves its queue in the transaction. */
  async completeInTransaction(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    id: string,
  ): Promise<void> {
    await tx.execute(COMPLETE_SQL, values(scope, kind, [id]));
  }
}

function values(scope: TenantScope, kind: WorkKind, ids: readonly string[]): unknown[] {
  return [scope.workspaceId, scope.environment, kind, ids];
}

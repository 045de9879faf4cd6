/** Records claimed work on the connection that closes when its process dies, which is how a death is detected. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Presence } from '../../../platform/database/presence.js';
import type { WorkKind } from '../domain/set-aside-work.js';

const OF_KIND = `w.workspace_id = $1 AND w.environment = $2 AND w.kind = $3`;
const ROWS = `${OF_KIND} AND w.subject_id = ANY ($4::uuid[])`;

/** Counts a death for rows whose holder is gone, and deletes old records of other rows. */
const DEATHS = `
  WITH forgotten AS (
    DELETE FROM work_in_hand w WHERE ${OF_KIND} AND w.taken_at <= now() - interval '1 hour'
      AND NOT w.subject_id = ANY ($4::uuid[])),
  counted AS (
    UPDATE work_in_hand w SET holder = NULL, deaths = w.deaths + 1
    WHERE ${ROWS} AND w.holder IS NOT NULL AND ${Presence.isGone('w.holder')}
    RETURNING w.subject_id, w.deaths)
  SELECT subject_id AS id, deaths FROM counted
  UNION ALL
  SELECT w.subject_id, w.deaths FROM work_in_hand w
  WHERE ${ROWS} AND w.deaths > 0 AND w.subject_id NOT IN (SELECT subject_id FROM counted)`;

/** In the order of ids, so that two processes never deadlock. */
const TAKE = `
  INSERT INTO work_in_hand AS w (workspace_id, environment, kind, subject_id, holder, deaths, taken_at)
  SELECT $1, $2, $3, u.id, $5, 0, now() FROM unnest($4::uuid[]) AS u(id) ORDER BY u.id
  ON CONFLICT (workspace_id, environment, kind, subject_id) DO UPDATE
    SET holder = excluded.holder, taken_at = excluded.taken_at`;

const DONE = `DELETE FROM work_in_hand w WHERE ${ROWS}`;

const LET_GO = `
  WITH innocent AS (DELETE FROM work_in_hand w WHERE ${ROWS} AND w.deaths = 0)
  UPDATE work_in_hand w SET holder = NULL WHERE ${ROWS} AND w.deaths > 0`;

@Injectable()
export class WorkInHandRepository {
  constructor(private readonly presence: Presence) {}

  /** The number of processes that died with each of the rows claimed. Rows without a death are left out. */
  async deaths(
    scope: TenantScope,
    kind: WorkKind,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.presence.once<{ id: string; deaths: number }>(
      scope,
      DEATHS,
      values(scope, kind, ids),
    );
    return new Map(rows.map(({ id, deaths }) => [id, deaths]));
  }

  /** Records that this process has claimed the rows. */
  async take(scope: TenantScope, kind: WorkKind, ids: readonly string[]): Promise<void> {
    const holder = await this.presence.number();
    await this.presence.once(scope, TAKE, [...values(scope, kind, ids), holder]);
  }

  /** Forgets rows that are done. */
  async done(scope: TenantScope, kind: WorkKind, ids: readonly string[]): Promise<void> {
    await this.presence.once(scope, DONE, values(scope, kind, ids));
  }

  /** Releases the claim on the rows and keeps their counts of deaths. */
  async letGo(scope: TenantScope, kind: WorkKind, ids: readonly string[]): Promise<void> {
    await this.presence.once(scope, LET_GO, values(scope, kind, ids));
  }

  /** As `done`, for a row that leaves its queue in the transaction. */
  async forget(tx: Transaction, scope: TenantScope, kind: WorkKind, id: string): Promise<void> {
    await tx.execute(DONE, values(scope, kind, [id]));
  }
}

function values(scope: TenantScope, kind: WorkKind, ids: readonly string[]): unknown[] {
  return [scope.workspaceId, scope.environment, kind, ids];
}

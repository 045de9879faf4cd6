/** Version history of a workspace's flows, section 2.4. */
import { Injectable } from '@nestjs/common';
import type { Sized } from '../../../kernel/batches.js';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FlowVersion, FlowVersionSummary } from '../domain/flow-version.js';
import { settingsOf } from '../domain/written-flow.js';
import { recordOf, type Stored } from './flow.repository.js';

const SUMMARY = `id, flow_id AS "flowId", version, name, description, trigger_event AS "triggerEvent",
  trigger_conditions AS "triggerConditions", content_type AS "contentType", status_at_snapshot AS "statusAtSnapshot",
  tags, settings, changed_by AS "changedBy", change_summary AS "changeSummary", created_at AS "createdAt"`;
/** JSON is stored compressed; in memory it takes about ten times the stored size. */
const SIZE = '10 * (pg_column_size(steps) + pg_column_size(trigger_conditions))';
/** Version numbers only increase, even if the clock is set back. */
const NEWEST_FIRST = 'ORDER BY version DESC, created_at DESC, id DESC';

/** What a snapshot stores in addition to the preserved state. */
export interface SnapshotDetails {
  readonly id: string;
  readonly changedBy: string;
  readonly changeSummary: string | null;
  readonly createdAt: Date;
}

@Injectable()
export class FlowVersionRepository {
  /** Stores the current state of a flow, which must be locked. */
  async snapshot(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    details: SnapshotDetails,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO flow_versions (workspace_id, id, flow_id, version, name, description, trigger_event,
         trigger_conditions, steps, content_type, status_at_snapshot, tags, settings, changed_by, change_summary, created_at)
       SELECT workspace_id, $3, id, version, name, description, trigger_event, trigger_conditions, steps, content_type,
         status, tags, settings, $4, $5, $6 FROM flows WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, flowId, details.id, details.changedBy, details.changeSummary, details.createdAt],
    );
  }

  /** Ids and sizes of a flow's snapshots, newest first. */
  async sizes(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<Sized[]> {
    return tx.query<Sized & { id: string }>(
      `SELECT id, ${SIZE} AS size FROM flow_versions WHERE workspace_id = $1 AND flow_id = $2 ${NEWEST_FIRST}`,
      [scope.workspaceId, flowId],
    );
  }

  /** The snapshots with these ids that exist, in any order. */
  async byIds(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<FlowVersion[]> {
    const rows = await tx.query<Stored<FlowVersion>>(
      `SELECT ${SUMMARY}, steps FROM flow_versions WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [scope.workspaceId, ids],
    );
    return rows.map(recordOf);
  }

  /** A page of a flow's snapshots without their steps, newest first, and how many there are. */
  async page(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    { limit, after }: { readonly limit: number; readonly after: PageCursor | null },
  ): Promise<{ readonly versions: FlowVersionSummary[]; readonly total: number }> {
    const source = 'FROM flow_versions WHERE workspace_id = $1 AND flow_id = $2';
    const rows = await tx.query<Omit<Stored<FlowVersion>, 'steps'>>(
      `SELECT ${SUMMARY} ${source} AND ($4::int IS NULL OR (version, id) < ($4, $5::uuid))
       ORDER BY version DESC, id DESC LIMIT $3`,
      [scope.workspaceId, flowId, limit, after?.key ?? null, after?.id ?? null],
    );
    const [counted] = await tx.query<{ total: number }>(`SELECT count(*)::int AS total ${source}`, [
      scope.workspaceId,
      flowId,
    ]);
    const versions = rows.map((row) => ({ ...row, settings: settingsOf(row.settings) }));
    return { versions, total: counted?.total ?? 0 };
  }

  /** The latest snapshot of a version, or of any version if none is given. */
  async latest(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    version: number | null,
  ): Promise<FlowVersion | undefined> {
    const [found] = await tx.query<Stored<FlowVersion>>(
      `SELECT ${SUMMARY}, steps FROM flow_versions
       WHERE workspace_id = $1 AND flow_id = $2 AND ($3::int IS NULL OR version = $3) ${NEWEST_FIRST} LIMIT 1`,
      [scope.workspaceId, flowId, version],
    );
    return found && recordOf(found);
  }
}

/** Status changes of flows, which a trigger on the table of flows records. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FlowSettings, FlowStatus, StatusChange } from '../domain/flow.js';
import { settingsOf, type WrittenSettings } from '../domain/written-flow.js';

/** Maximum number of changes read per flow. */
const MAX_CHANGES_PER_FLOW = 100;

/** The fields of a flow that decide whether and how its trips continue. */
export interface FlowState {
  readonly status: FlowStatus;
  readonly settings: FlowSettings;
}

@Injectable()
export class FlowStatusRepository {
  /** The current status of each flow, locked against changes until the transaction ends. Deleted flows are missing. */
  async lockStatuses(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<Map<string, FlowStatus>> {
    const rows = await tx.query<{ id: string; status: FlowStatus }>(
      'SELECT id, status FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR SHARE',
      [scope.workspaceId, flowIds],
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  /** The same with their settings; the lock also prevents new trips of the flows until the transaction ends. */
  async lockExclusively(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<Map<string, FlowState>> {
    const rows = await tx.query<{ id: string; status: FlowStatus; settings: WrittenSettings }>(
      `SELECT id, status, settings FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
       ORDER BY id FOR NO KEY UPDATE`,
      [scope.workspaceId, flowIds],
    );
    return new Map(rows.map(({ id, status, settings }) => [id, { status, settings: settingsOf(settings) }]));
  }

  /** The latest status changes of the flow, latest first. The initial status, draft, is not a change. */
  async latest(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<StatusChange[]> {
    return tx.query<StatusChange>(
      `SELECT status, since FROM flow_statuses WHERE workspace_id = $1 AND flow_id = $2 ORDER BY since DESC LIMIT ${MAX_CHANGES_PER_FLOW}`,
      [scope.workspaceId, flowId],
    );
  }
}

/** When flows came to their statuses; noted by a trigger of the table of flows. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FlowStatus, StatusChange } from '../domain/flow.js';

/** Changes that are read of a flow. */
const MOST = 100;

@Injectable()
export class FlowStatusRepository {
  /** The statuses of flows, locked against change until the transaction ends. */
  async locked(
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

  /** The latest changes, the latest first. */
  async latest(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<StatusChange[]> {
    return tx.query<StatusChange>(
      `SELECT status, since FROM flow_statuses WHERE workspace_id = $1 AND flow_id = $2 ORDER BY since DESC LIMIT ${MOST}`,
      [scope.workspaceId, flowId],
    );
  }
}

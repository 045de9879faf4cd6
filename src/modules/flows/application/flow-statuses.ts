/** The status history of flows, read in a caller's transaction. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FlowStatus, StatusChange } from '../domain/flow.js';
import { FlowStatusRepository, type FlowState } from '../persistence/flow-status.repository.js';

export type { FlowState };

@Injectable()
export class FlowStatuses {
  constructor(private readonly statuses: FlowStatusRepository) {}

  /** The latest status changes of the flow, latest first. The initial status, draft, is not a change. */
  async of(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<StatusChange[]> {
    return this.statuses.latest(tx, scope, flowId);
  }

  /**
   * The current status of each flow, locked against changes until the transaction ends. Deleted flows are missing.
   */
  async lockStatuses(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowStatus>> {
    return this.statuses.lockStatuses(tx, scope, flowIds);
  }

  /** Like `lockStatuses`, with the settings, and with a lock that also prevents new trips of these flows. */
  async lockExclusively(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowState>> {
    return this.statuses.lockExclusively(tx, scope, flowIds);
  }
}

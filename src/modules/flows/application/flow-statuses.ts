/** Since when a flow has had which status, inside a caller's transaction. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FlowStatus, StatusChange } from '../domain/flow.js';
import { FlowStatusRepository, type StandingFlow } from '../persistence/flow-status.repository.js';

export type { StandingFlow };

@Injectable()
export class FlowStatuses {
  constructor(private readonly statuses: FlowStatusRepository) {}

  /** The latest changes of the flow's status, the latest first; its first status, a draft, is none. */
  async of(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<StatusChange[]> {
    return this.statuses.latest(tx, scope, flowId);
  }

  /** The status of each flow now, locked against change until the transaction ends; a flow that is gone has none. */
  async now(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowStatus>> {
    return this.statuses.locked(tx, scope, flowIds);
  }

  /** The same with their settings, locked so that no trip of them starts meanwhile either. */
  async alone(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StandingFlow>> {
    return this.statuses.lockedAlone(tx, scope, flowIds);
  }
}

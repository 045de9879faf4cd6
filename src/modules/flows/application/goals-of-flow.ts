/** Goals for other services: to copy them with a flow, and to find the goals that an event counts toward. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Goal } from '../domain/goal.js';
import { FlowGoalRepository } from '../persistence/flow-goal.repository.js';

@Injectable()
export class GoalsOfFlow {
  constructor(private readonly goals: FlowGoalRepository) {}

  /** Goals that count one of the events, of all flows including archived ones. */
  async ofEvents(tx: Transaction, scope: WorkspaceScope, eventNames: readonly string[]): Promise<Goal[]> {
    return eventNames.length === 0 ? [] : this.goals.ofEvents(tx, scope, eventNames);
  }

  /** The goals of a flow, in order. */
  async ofFlow(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<Goal[]> {
    return this.goals.ofFlows(tx, scope, [flowId]);
  }

  /** The goals of several flows. */
  async ofFlows(tx: Transaction, scope: WorkspaceScope, flowIds: readonly string[]): Promise<Goal[]> {
    return flowIds.length === 0 ? [] : this.goals.ofFlows(tx, scope, flowIds);
  }

  /** Copies the goals of one flow to another, which has none yet. */
  async copy(
    tx: Transaction,
    scope: WorkspaceScope,
    fromFlowId: string,
    toFlowId: string,
    now: Date,
  ): Promise<void> {
    const goals = await this.goals.ofFlows(tx, scope, [fromFlowId]);
    const copies = goals.map((goal): Goal => ({
      ...goal,
      id: uuidv7(now.getTime()),
      flowId: toFlowId,
      createdAt: now,
      updatedAt: now,
    }));
    await this.goals.insert(tx, scope, copies);
  }
}

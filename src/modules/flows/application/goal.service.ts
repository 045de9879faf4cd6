/** Goals of a flow as people read and change them, section 4.2. Changes to the goals of one flow are serialized. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Goal, NewGoal } from '../domain/goal.js';
import { assertEventUnused, assertGoalLimit, goalOf, reordered } from '../domain/goal-list.js';
import { FlowGoalRepository } from '../persistence/flow-goal.repository.js';
import { FlowRepository } from '../persistence/flow.repository.js';

/** A flow's id and its goals, in order. */
interface FlowWithGoals {
  readonly id: string;
  readonly goals: readonly Goal[];
}

@Injectable()
export class GoalService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly goals: FlowGoalRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The flow's goals, in order.
   * @throws DomainError flow_not_found.
   */
  async list(scope: WorkspaceScope, flowId: string): Promise<readonly Goal[]> {
    return this.database.inScope(scope, async (tx) => (await this.ofFlow(tx, scope, flowId, false)).goals);
  }

  /** The goals of flows, in order, by flow; a flow without goals may be missing. */
  async byFlow(scope: WorkspaceScope, flowIds: readonly string[]): Promise<Map<string, Goal[]>> {
    const goals = await this.database.inScope(scope, (tx) => this.goals.ofFlows(tx, scope, flowIds));
    const byFlow = new Map<string, Goal[]>();
    for (const goal of goals) byFlow.set(goal.flowId, [...(byFlow.get(goal.flowId) ?? []), goal]);
    return byFlow;
  }

  /**
   * Adds a goal at the end.
   * @throws DomainError flow_not_found, goal_event_name_conflict; invalid_field if the flow has the maximum number of
   *   goals.
   */
  async create(scope: WorkspaceScope, flowId: string, input: NewGoal): Promise<Goal> {
    return this.change(scope, flowId, async (tx, { id, goals }, now) => {
      assertEventUnused(goals, input.eventName);
      assertGoalLimit(goals);
      const goal: Goal = {
        ...input,
        id: uuidv7(now.getTime()),
        flowId: id,
        position: goals.length,
        createdAt: now,
        updatedAt: now,
      };
      await this.goals.insert(tx, scope, [goal]);
      return goal;
    });
  }

  /**
   * Changes the given fields of a goal.
   * @throws DomainError flow_not_found, goal_not_found, goal_event_name_conflict.
   */
  async update(scope: WorkspaceScope, flowId: string, id: string, changes: Partial<NewGoal>): Promise<Goal> {
    return this.change(scope, flowId, async (tx, { goals }, now) => {
      const goal: Goal = { ...goalOf(goals, id), ...changes, updatedAt: now };
      assertEventUnused(goals, goal.eventName, goal.id);
      await this.goals.update(tx, scope, goal);
      return goal;
    });
  }

  /**
   * Deletes a goal; the goals after it move up.
   * @throws DomainError flow_not_found, goal_not_found.
   */
  async remove(scope: WorkspaceScope, flowId: string, id: string): Promise<void> {
    await this.change(scope, flowId, async (tx, { goals }, now) => {
      const goal = goalOf(goals, id);
      await this.goals.delete(tx, scope, goal.id);
      const remaining = goals.filter((other) => other !== goal);
      await this.goals.storePositions(
        tx,
        scope,
        remaining.map((other, position) => ({ id: other.id, position })),
        now,
      );
    });
  }

  /**
   * Changes the order of a flow's goals.
   * @param ids all of them, each once.
   * @throws DomainError flow_not_found; validation_error for any other list.
   */
  async reorder(scope: WorkspaceScope, flowId: string, ids: readonly string[]): Promise<Goal[]> {
    return this.change(scope, flowId, async (tx, { goals }, now) => {
      const ordered = reordered(goals, ids);
      await this.goals.storePositions(tx, scope, ordered, now);
      return ordered.map((goal) =>
        goals[goal.position]?.id === goal.id ? goal : { ...goal, updatedAt: now },
      );
    });
  }

  /** Runs `work` on the goals of a flow under a lock that excludes other changes. */
  private async change<Result>(
    scope: WorkspaceScope,
    flowId: string,
    work: (tx: Transaction, flow: FlowWithGoals, now: Date) => Promise<Result>,
  ): Promise<Result> {
    return this.database.inScope(scope, async (tx) => {
      const flow = await this.ofFlow(tx, scope, flowId, true);
      return work(tx, flow, this.clock.now());
    });
  }

  private async ofFlow(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    lock: boolean,
  ): Promise<FlowWithGoals> {
    const flow = isUuid(flowId) ? await this.flows.find(tx, scope, flowId, lock) : undefined;
    if (!flow) throw new DomainError('flow_not_found', `No flow has the ID ${flowId}.`);
    return { id: flow.id, goals: await this.goals.ofFlows(tx, scope, [flow.id]) };
  }
}

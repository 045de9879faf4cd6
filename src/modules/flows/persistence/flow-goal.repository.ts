/** Goals of flows, section 2.5. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Goal } from '../domain/goal.js';
import { FlowGoalEntity } from './flow-goal.entity.js';

const FIELDS = `id, flow_id AS "flowId", position, name, event_name AS "eventName", event_filters AS "eventFilters",
  attribution_window_value AS "attributionWindowValue", attribution_window_unit AS "attributionWindowUnit",
  exit_on_conversion AS "exitOnConversion", created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class FlowGoalRepository {
  /** Goals of flows, in order, including those of archived flows. */
  async ofFlows(tx: Transaction, scope: WorkspaceScope, flowIds: readonly string[]): Promise<Goal[]> {
    return tx.query<Goal>(
      `SELECT ${FIELDS} FROM flow_goals WHERE workspace_id = $1 AND flow_id = ANY ($2::uuid[])
       ORDER BY flow_id, position`,
      [scope.workspaceId, flowIds],
    );
  }

  /** Goals that count one of the events. */
  async ofEvents(tx: Transaction, scope: WorkspaceScope, eventNames: readonly string[]): Promise<Goal[]> {
    return tx.query<Goal>(
      `SELECT ${FIELDS} FROM flow_goals WHERE workspace_id = $1 AND event_name = ANY ($2::text[])`,
      [scope.workspaceId, eventNames],
      'flow-goals-of-events',
    );
  }

  async insert(tx: Transaction, { workspaceId }: WorkspaceScope, goals: readonly Goal[]): Promise<void> {
    if (goals.length === 0) return;
    await tx.manager.insert(
      FlowGoalEntity,
      goals.map((goal) => ({ ...goal, workspaceId })),
    );
  }

  /** Stores a goal that was read under its flow's lock. */
  async update(tx: Transaction, { workspaceId }: WorkspaceScope, goal: Goal): Promise<void> {
    const { id, flowId: _flow, createdAt: _created, ...changes } = goal;
    await tx.manager.update(FlowGoalEntity, { workspaceId, id }, changes);
  }

  async delete(tx: Transaction, { workspaceId }: WorkspaceScope, id: string): Promise<void> {
    await tx.manager.delete(FlowGoalEntity, { workspaceId, id });
  }

  /** Stores the positions of goals that moved. */
  async storePositions(
    tx: Transaction,
    scope: WorkspaceScope,
    goals: readonly Pick<Goal, 'id' | 'position'>[],
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE flow_goals g SET position = u.position, updated_at = $2
       FROM unnest($3::uuid[], $4::int[]) AS u(id, position)
       WHERE g.workspace_id = $1 AND g.id = u.id AND g.position <> u.position`,
      [
        scope.workspaceId,
        now,
        uuidArray(goals.map(({ id }) => id)),
        integerArray(goals.map(({ position }) => position)),
      ],
    );
  }
}

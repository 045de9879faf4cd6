/** Creates, reads and changes flows, sections 2.3 and 4.2. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { assertWithin, type Plan } from '../../limits/domain/plan.js';
import { SegmentService } from '../../segments/application/segment.service.js';
import { assertFlowSize } from '../domain/flow-bounds.js';
import { copyOfFlow, stepsWithIds, updatedFlow } from '../domain/flow-change.js';
import {
  type FlowCounts,
  type FlowFilter,
  type ListedFlow,
  type Page,
  type TripTotals,
} from '../domain/flow-filter.js';
import { FIRST_STATUS } from '../domain/flow-transitions.js';
import type { Flow, FlowSettings, FlowUpdate, NewFlow } from '../domain/flow.js';
import { assertSegmentsExist, segmentReferences } from '../domain/segment-checks.js';
import type { NewStep } from '../domain/step.js';
import { FlowRepository } from '../persistence/flow.repository.js';
import { FlowWriter, type ChangeNote } from './flow-writer.js';
import { FlowTemplates } from './flow-templates.js';
import { GoalsOfFlow } from './goals-of-flow.js';
import { TripCounts } from './trip-counts.port.js';

export interface FlowList {
  readonly flows: readonly ListedFlow[];
  readonly counts: FlowCounts;
  /** Number of flows that match the whole filter. */
  readonly total: number;
}

const NO_TRIPS: TripTotals = { tripsStarted: 0, tripsCompleted: 0 };

@Injectable()
export class FlowService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly writer: FlowWriter,
    private readonly templates: FlowTemplates,
    private readonly segments: SegmentService,
    private readonly goals: GoalsOfFlow,
    private readonly tripCounts: TripCounts,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a flow: a draft with version 1.
   * @param plan of the workspace.
   * @param actor who creates it.
   * @throws DomainError plan_limit_reached, segment_not_found; invalid_field if the flow is too large, or its checks
   *   name segments that do not exist.
   */
  async create(scope: WorkspaceScope, plan: Plan, input: NewFlow, actor: string): Promise<Flow> {
    assertFlowSize(input);
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      await this.assertSegments(tx, scope, input.steps);
      const flow: Flow = {
        ...input,
        ...stepsWithIds(input.steps),
        segmentId: await this.segmentOf(tx, scope, input.segmentId),
        id: uuidv7(now.getTime()),
        status: FIRST_STATUS,
        version: 1,
        createdBy: actor,
        createdAt: now,
        updatedAt: now,
      };
      await this.add(tx, scope, plan, flow);
      return flow;
    });
  }

  /**
   * Copies a flow of any status, with its goals, to a new draft.
   * @throws DomainError flow_not_found, plan_limit_reached.
   */
  async duplicate(scope: WorkspaceScope, plan: Plan, id: string, actor: string): Promise<Flow> {
    return this.database.inScope(scope, async (tx) => {
      const flow = await this.writer.find(tx, scope, id);
      const now = this.clock.now();
      const copy = copyOfFlow(flow, uuidv7(now.getTime()), actor, now);
      await this.add(tx, scope, plan, copy);
      await this.goals.copy(tx, scope, flow.id, copy.id, now);
      return copy;
    });
  }

  /**
   * Changes a flow in any status. Every update, even an empty one, stores the state before it as a version and
   * creates the next version. Trips in flight stay on their version. New steps of an active flow must pass the checks
   * of an activation.
   * @throws DomainError flow_not_found, segment_not_found, template_errors; invalid_field as `create`.
   */
  async update(scope: WorkspaceScope, id: string, update: FlowUpdate, note: ChangeNote): Promise<Flow> {
    return this.writer.change(scope, id, async (tx, flow, now) => {
      const { segmentId } = update;
      const segment =
        segmentId === undefined ? {} : { segmentId: await this.segmentOf(tx, scope, segmentId) };
      const after = updatedFlow(flow, { ...update, ...segment }, now);
      assertFlowSize(after);
      if (update.steps) await this.assertSegments(tx, scope, update.steps);
      if (flow.status === 'active' && update.steps)
        await this.templates.assertSendable(tx, scope, after.steps);
      await this.writer.snapshot(tx, scope, flow, note, now);
      return after;
    });
  }

  /**
   * Replaces the settings of a flow. The version number does not change, and no snapshot is stored.
   * @param settings all of them.
   * @throws DomainError flow_not_found.
   */
  async updateSettings(scope: WorkspaceScope, id: string, settings: FlowSettings): Promise<Flow> {
    return this.writer.change(scope, id, async (_tx, flow, now) => ({ ...flow, settings, updatedAt: now }));
  }

  /**
   * Returns one flow.
   * @throws DomainError flow_not_found, also for an archived flow.
   */
  async get(scope: WorkspaceScope, id: string): Promise<Flow> {
    return this.database.inScope(scope, (tx) => this.writer.find(tx, scope, id));
  }

  /** A page of flows, most recently updated first, with their trips in the caller's environment. */
  async list(scope: TenantScope, filter: FlowFilter, page: Page): Promise<FlowList> {
    return this.database.listInScope(scope, async (tx) => {
      // Both queries are sent concurrently: the database counts while the process reads the flows found.
      const [listQuery, countQuery] = [
        this.flows.list(tx, scope, filter, page),
        this.flows.counts(tx, scope, filter),
      ];
      countQuery.catch(() => undefined);
      const found = await listQuery;
      const ids = found.map(({ id }) => id);
      // The first of these to fail has the cause: after it, the transaction rejects every other statement.
      const [trips, { archived, ...counts }] = await Promise.all([
        this.tripCounts.ofFlows(tx, scope, ids),
        countQuery,
      ]);
      const flows = found.map((flow) => ({ ...flow, ...(trips.get(flow.id) ?? NO_TRIPS) }));
      return { flows, counts, total: { ...counts, archived }[filter.status ?? 'all'] };
    });
  }

  /** All tags of the flows that are not archived, distinct and sorted. */
  async tags(scope: WorkspaceScope): Promise<string[]> {
    return this.database.listInScope(scope, (tx) => this.flows.tags(tx, scope));
  }

  /** Flows that count toward the plan's limit, section 8.2: all that are not archived. */
  async countTowardPlan(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    return this.flows.count(tx, scope);
  }

  /** Adds a flow if the plan has capacity for it; concurrent additions wait. */
  private async add(tx: Transaction, scope: WorkspaceScope, plan: Plan, flow: Flow): Promise<void> {
    await this.flows.lockCount(tx, scope);
    assertWithin('flows', await this.flows.count(tx, scope), plan);
    await this.flows.insert(tx, scope, flow);
  }

  /**
   * @throws DomainError invalid_field for checks that name segments which do not exist.
   */
  private async assertSegments(
    tx: Transaction,
    scope: WorkspaceScope,
    steps: readonly NewStep[],
  ): Promise<void> {
    const named = segmentReferences(steps);
    const ids = [...new Set(named.map(({ id }) => id))];
    assertSegmentsExist(named, await this.segments.existing(tx, scope, ids));
  }

  /** @throws DomainError segment_not_found. */
  private async segmentOf(tx: Transaction, scope: WorkspaceScope, id: string | null): Promise<string | null> {
    return id === null ? null : this.segments.idOf(tx, scope, id);
  }
}

/** Making, reading and running flows, sections 3.2 and 4.2. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { assertWithin, type Plan } from '../../limits/domain/plan.js';
import { TemplateService } from '../../templates/application/template.service.js';
import {
  type FlowCounts,
  type FlowFilter,
  type ListedFlow,
  type Page,
  type TripFigures,
} from '../domain/flow-filter.js';
import { assertFlowSize } from '../domain/flow-bounds.js';
import { FIRST_STATUS, nextStatus, type FlowAction } from '../domain/flow-transitions.js';
import type { Flow, NewFlow } from '../domain/flow.js';
import { identified } from '../domain/step-identity.js';
import { templateErrors, templateProblems, templateSlugs } from '../domain/template-problems.js';
import { FlowRepository } from '../persistence/flow.repository.js';
import { TripCounts } from './trip-counts.port.js';
import { TripTermination } from './trip-termination.port.js';

export interface FlowList {
  readonly flows: readonly ListedFlow[];
  readonly counts: FlowCounts;
  /** How many flows the whole filter lets through. */
  readonly total: number;
}

const NO_TRIPS: TripFigures = { tripsStarted: 0, tripsCompleted: 0 };

@Injectable()
export class FlowService {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly templates: TemplateService,
    private readonly trips: TripTermination,
    private readonly tripCounts: TripCounts,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a flow: a draft of version 1.
   * @param plan of the workspace.
   * @param actor who makes it.
   * @throws DomainError plan_limit_reached; invalid_field for one that is too large.
   */
  async create(scope: WorkspaceScope, plan: Plan, input: NewFlow, actor: string): Promise<Flow> {
    assertFlowSize(input);
    const now = this.clock.now();
    const flow: Flow = {
      ...input,
      steps: identified(input.steps),
      id: uuidv7(now.getTime()),
      segmentId: null,
      status: FIRST_STATUS,
      version: 1,
      createdBy: actor,
      createdAt: now,
      updatedAt: now,
    };
    await this.database.inScope(scope, async (tx) => {
      await this.flows.lockCount(tx, scope);
      assertWithin('flows', await this.flows.count(tx, scope), plan);
      await this.flows.insert(tx, scope, flow);
    });
    return flow;
  }

  /**
   * One flow.
   * @throws DomainError flow_not_found, also for an archived one.
   */
  async get(scope: WorkspaceScope, id: string): Promise<Flow> {
    return this.database.inScope(scope, (tx) => this.find(tx, scope, id, false));
  }

  /** A page of flows, the most recently updated first, with their trips in the caller's environment. */
  async list(scope: TenantScope, filter: FlowFilter, page: Page): Promise<FlowList> {
    return this.database.listInScope(scope, async (tx) => {
      const found = await this.flows.list(tx, scope, filter, page);
      const trips = await this.tripCounts.ofFlows(
        tx,
        scope,
        found.map(({ id }) => id),
      );
      const flows = found.map((flow) => ({ ...flow, ...(trips.get(flow.id) ?? NO_TRIPS) }));
      const { archived, ...counts } = await this.flows.counts(tx, scope, filter);
      return { flows, counts, total: { ...counts, archived }[filter.status ?? 'all'] };
    });
  }

  /**
   * Makes a flow listen to its event, once every template that it sends exists and has no syntax errors. A flow
   * without steps may be active: its trips are complete as they start.
   * @throws DomainError flow_not_found, validation_error in another status, template_errors.
   */
  async activate(scope: WorkspaceScope, id: string): Promise<Flow> {
    return this.move(scope, id, 'activate', async (tx, { steps }) => {
      const templates = await this.templates.bySlugs(tx, scope, templateSlugs(steps));
      const problems = templateProblems(steps, templates);
      if (problems.length > 0) throw templateErrors(problems);
    });
  }

  /**
   * Starts no more trips; those in flight go on.
   * @throws DomainError flow_not_found, validation_error in another status.
   */
  async pause(scope: WorkspaceScope, id: string): Promise<Flow> {
    return this.move(scope, id, 'pause', async () => undefined);
  }

  /**
   * Keeps the flow as a version, and ends every trip of it, in one transaction: when it answers, none goes on.
   * @throws DomainError flow_not_found, validation_error in another status.
   */
  async stop(scope: WorkspaceScope, id: string, actor: string): Promise<Flow> {
    return this.move(
      scope,
      id,
      'stop',
      (tx, flow, now) =>
        this.flows.snapshot(tx, scope, flow.id, {
          id: uuidv7(now.getTime()),
          changedBy: actor,
          changeSummary: 'Flow stopped',
          createdAt: now,
        }),
      async (tx, flow, now) => void (await this.trips.terminate(tx, scope, flow.id, now)),
    );
  }

  /** Takes the flow from one status to the next, with what must be done before and after in the same transaction. */
  private async move(
    scope: WorkspaceScope,
    id: string,
    action: FlowAction,
    before: (tx: Transaction, flow: Flow, now: Date) => Promise<void>,
    after: (tx: Transaction, flow: Flow, now: Date) => Promise<void> = async () => undefined,
  ): Promise<Flow> {
    return this.database.inScope(scope, async (tx) => {
      const flow = await this.find(tx, scope, id, true);
      const now = this.clock.now();
      const status = nextStatus(flow.status, action);
      if (!status)
        throw new DomainError(
          'validation_error',
          `The flow is ${flow.status}; it is not possible to ${action} it.`,
        );
      await before(tx, flow, now);
      await this.flows.setStatus(tx, scope, flow.id, status, now);
      await after(tx, flow, now);
      return { ...flow, status, updatedAt: now };
    });
  }

  private async find(tx: Transaction, scope: WorkspaceScope, id: string, lock: boolean): Promise<Flow> {
    const flow = isUuid(id) ? await this.flows.find(tx, scope, id, lock) : undefined;
    if (!flow) throw new DomainError('flow_not_found', `No flow has the id ${id}.`);
    return flow;
  }
}

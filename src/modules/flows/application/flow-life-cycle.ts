/** Activates, pauses, stops, archives and unarchives flows: section 3.2. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import {
  type Gated,
  type GateOptions,
  type MaySend,
  NO_TOKENS,
  PreSendGate,
} from '../../inspect/application/pre-send-gate.js';
import { gatedTemplates } from '../../inspect/domain/gate/gate.js';
import { assertWithin, type Plan } from '../../limits/domain/plan.js';
import { FIRST_STATUS, nextStatus, type FlowAction } from '../domain/flow-transitions.js';
import type { Flow } from '../domain/flow.js';
import { templateUses } from '../domain/template-problems.js';
import { tripsInFlightError } from '../domain/trips-in-flight-error.js';
import { FlowVersionRepository } from '../persistence/flow-version.repository.js';
import { FlowRepository } from '../persistence/flow.repository.js';
import { FlowWriter } from './flow-writer.js';
import { FlowTemplates } from './flow-templates.js';
import { TripCounts } from './trip-counts.port.js';
import { TripTermination } from './trip-termination.port.js';

/** Thrown while trips of a stopped flow are still being ended; until then it cannot start new ones. */
class TripsTerminatingError extends Error {
  constructor(readonly flowId: string) {
    super(`Some trips of the flow ${flowId} have not been ended yet.`);
  }
}

@Injectable()
export class FlowLifeCycle {
  constructor(
    private readonly writer: FlowWriter,
    private readonly flows: FlowRepository,
    private readonly versions: FlowVersionRepository,
    private readonly templates: FlowTemplates,
    private readonly gate: PreSendGate,
    private readonly trips: TripTermination,
    private readonly tripCounts: TripCounts,
  ) {}

  /**
   * Activates a flow, so that it listens to its event. Every template that it sends must exist and have no syntax
   * errors. A flow without steps may be active: its trips complete when they start. All trips from before a stop have
   * ended by then.
   * @param call input for the quality analysis gate, which is checked last.
   * @throws DomainError flow_not_found, validation_error in another status, template_errors, inspection_blocked,
   *   service_unavailable as PreSendGate.guard.
   */
  async activate(scope: TenantScope, id: string, call: GateOptions = NO_TOKENS): Promise<Gated<Flow>> {
    return this.gate.guard(scope, call, (maySend) => this.activateOnce(scope, id, maySend));
  }

  /** @returns undefined if templates have to be inspected first. */
  private async activateOnce(scope: TenantScope, id: string, maySend: MaySend): Promise<Flow | undefined> {
    for (;;)
      try {
        return await this.writer.change(scope, id, async (tx, flow, now) => {
          const status = statusAfter(flow, 'activate');
          const templates = await this.templates.assertSendable(tx, scope, flow.steps);
          if (!(await maySend(tx, gatedTemplates(templateUses(flow.steps, templates))))) return undefined;
          if (await this.trips.isTerminating(tx, scope, flow.id)) throw new TripsTerminatingError(flow.id);
          return { ...flow, status, updatedAt: now };
        });
      } catch (error) {
        if (!(error instanceof TripsTerminatingError)) throw error;
        await this.trips.waitUntilTerminated(scope, error.flowId);
      }
  }

  /**
   * Starts no more trips; those in flight continue.
   * @throws DomainError flow_not_found, validation_error in another status.
   */
  async pause(scope: WorkspaceScope, id: string): Promise<Flow> {
    return this.changeStatus(scope, id, 'pause', async () => undefined);
  }

  /**
   * Stores the flow as a version and stops it without blocking other transactions: from then on none of its trips
   * starts or continues. When the call returns, all its trips have ended and none of its messages is being sent.
   * @throws DomainError flow_not_found, validation_error in another status.
   */
  async stop(scope: WorkspaceScope, id: string, actor: string): Promise<Flow> {
    const note = { changedBy: actor, changeSummary: 'Flow stopped' };
    const stopped = await this.changeStatus(scope, id, 'stop', async (tx, flow, now) => {
      await this.writer.snapshot(tx, scope, flow, note, now);
      await this.trips.terminate(tx, scope, flow.id, now);
    });
    await this.trips.waitUntilTerminated(scope, stopped.id);
    return stopped;
  }

  /**
   * Archives a flow: it is in no list, is no longer found, and does not count toward the plan. The flow is stored as
   * a version, which records the status to restore.
   * @throws DomainError flow_not_found, validation_error for an active one, flow_has_inflight_trips for one with
   *   trips in flight in either environment.
   */
  async archive(scope: WorkspaceScope, id: string, actor: string): Promise<Flow> {
    const note = { changedBy: actor, changeSummary: 'Flow archived' };
    return this.changeStatus(scope, id, 'archive', async (tx, flow, now) => {
      let count = 0;
      await inEachEnvironment(tx, scope, async (tenant) => {
        count += await this.tripCounts.countInFlight(tx, tenant, flow.id);
      });
      if (count > 0) throw tripsInFlightError(count, 'archive the flow once they have ended, or end them');
      await this.writer.snapshot(tx, scope, flow, note, now);
    });
  }

  /**
   * Unarchives a flow. It gets the status that it had when it was archived.
   * @param plan of the workspace; it must have capacity for one more flow.
   * @throws DomainError flow_not_found for a flow that is not archived, plan_limit_reached.
   */
  async unarchive(scope: WorkspaceScope, plan: Plan, id: string): Promise<Flow> {
    return this.writer.changeArchived(scope, id, async (tx, flow, now) => {
      await this.flows.lockCount(tx, scope);
      assertWithin('flows', await this.flows.count(tx, scope), plan);
      const latestVersion = await this.versions.latest(tx, scope, flow.id, null);
      return { ...flow, status: latestVersion?.statusAtSnapshot ?? FIRST_STATUS, updatedAt: now };
    });
  }

  /** Changes the status of the flow. The preparation that the change requires runs first, in the same transaction. */
  private async changeStatus(
    scope: WorkspaceScope,
    id: string,
    action: FlowAction,
    before: (tx: Transaction, flow: Flow, now: Date) => Promise<void>,
  ): Promise<Flow> {
    return this.writer.change(scope, id, async (tx, flow, now) => {
      const status = statusAfter(flow, action);
      await before(tx, flow, now);
      return { ...flow, status, updatedAt: now };
    });
  }
}

/** @throws DomainError validation_error if the flow's status does not allow the action. */
function statusAfter({ status }: Flow, action: FlowAction): Flow['status'] {
  const next = nextStatus(status, action);
  if (!next) throw new DomainError('validation_error', `The flow is ${status}: you cannot ${action} it.`);
  return next;
}

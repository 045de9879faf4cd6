/** Running flows, and putting them away: section 3.2. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import {
  type AssertMaySend,
  type Gated,
  type GateCall,
  NO_TOKENS,
  PreSendGate,
} from '../../inspect/application/pre-send-gate.js';
import { gatedTemplates } from '../../inspect/domain/gate/gate.js';
import { assertWithin, type Plan } from '../../limits/domain/plan.js';
import { FIRST_STATUS, nextStatus, type FlowAction } from '../domain/flow-transitions.js';
import type { Flow } from '../domain/flow.js';
import { templateUses } from '../domain/template-problems.js';
import { tripsInFlight } from '../domain/trips-in-flight.js';
import { FlowVersionRepository } from '../persistence/flow-version.repository.js';
import { FlowRepository } from '../persistence/flow.repository.js';
import { ChangedFlows } from './changed-flows.js';
import { FlowTemplates } from './flow-templates.js';
import { TripCounts } from './trip-counts.port.js';
import { TripTermination } from './trip-termination.port.js';

/** That trips of a flow that was stopped have still to be ended, so that it cannot start any yet. */
class StillStopping extends Error {
  constructor(readonly flowId: string) {
    super(`Some trips of the flow ${flowId} have not been ended yet.`);
  }
}

@Injectable()
export class FlowLifeCycle {
  constructor(
    private readonly changed: ChangedFlows,
    private readonly flows: FlowRepository,
    private readonly versions: FlowVersionRepository,
    private readonly templates: FlowTemplates,
    private readonly gate: PreSendGate,
    private readonly trips: TripTermination,
    private readonly tripCounts: TripCounts,
  ) {}

  /**
   * Makes a flow listen to its event, once every template that it sends exists and has no syntax errors. A flow
   * without steps may be active: its trips are complete as they start. All trips of before a stop have ended by then.
   * @param call what was sent along for the gate of quality analysis, which has its say last.
   * @throws DomainError flow_not_found, validation_error in another status, template_errors, inspection_blocked,
   *   service_unavailable as PreSendGate.around.
   */
  async activate(scope: TenantScope, id: string, call: GateCall = NO_TOKENS): Promise<Gated<Flow>> {
    return this.gate.around(scope, call, (assertMaySend) => this.activated(scope, id, assertMaySend));
  }

  private async activated(scope: TenantScope, id: string, assertMaySend: AssertMaySend): Promise<Flow> {
    for (;;)
      try {
        return await this.move(scope, id, 'activate', async (tx, flow) => {
          const templates = await this.templates.assertSendable(tx, scope, flow.steps);
          await assertMaySend(tx, gatedTemplates(templateUses(flow.steps, templates)));
          if (await this.trips.isTerminating(tx, scope, flow.id)) throw new StillStopping(flow.id);
        });
      } catch (error) {
        if (!(error instanceof StillStopping)) throw error;
        await this.trips.terminated(scope, error.flowId);
      }
  }

  /**
   * Starts no more trips; those in flight go on.
   * @throws DomainError flow_not_found, validation_error in another status.
   */
  async pause(scope: WorkspaceScope, id: string): Promise<Flow> {
    return this.move(scope, id, 'pause', async () => undefined);
  }

  /**
   * Keeps the flow as a version and stops it, which holds nobody up: from then on no trip of it starts or goes on. When it
   * answers, every trip of it has ended, and no message of it is being sent.
   * @throws DomainError flow_not_found, validation_error in another status.
   */
  async stop(scope: WorkspaceScope, id: string, actor: string): Promise<Flow> {
    const note = { changedBy: actor, changeSummary: 'Flow stopped' };
    const stopped = await this.move(scope, id, 'stop', async (tx, flow, now) => {
      await this.changed.snapshot(tx, scope, flow, note, now);
      await this.trips.terminate(tx, scope, flow.id, now);
    });
    await this.trips.terminated(scope, stopped.id);
    return stopped;
  }

  /**
   * Puts a flow away: it is in no list and not found any more, and counts toward no plan. Kept as a version, which says
   * where it comes back to.
   * @throws DomainError flow_not_found, validation_error for an active one, flow_has_inflight_trips for one with trips
   *   under way in either environment.
   */
  async archive(scope: WorkspaceScope, id: string, actor: string): Promise<Flow> {
    const note = { changedBy: actor, changeSummary: 'Flow archived' };
    return this.move(scope, id, 'archive', async (tx, flow, now) => {
      let count = 0;
      await inEachEnvironment(tx, scope, async (tenant) => {
        count += await this.tripCounts.inFlight(tx, tenant, flow.id);
      });
      if (count > 0) throw tripsInFlight(count, 'archive the flow once they have ended, or end them');
      await this.changed.snapshot(tx, scope, flow, note, now);
    });
  }

  /**
   * Brings an archived flow back in the status in which it was put away.
   * @param plan of the workspace, which must have room for it.
   * @throws DomainError flow_not_found for one that is not archived, plan_limit_reached.
   */
  async unarchive(scope: WorkspaceScope, plan: Plan, id: string): Promise<Flow> {
    return this.changed.changeArchived(scope, id, async (tx, flow, now) => {
      await this.flows.lockCount(tx, scope);
      assertWithin('flows', await this.flows.count(tx, scope), plan);
      const kept = await this.versions.latest(tx, scope, flow.id, null);
      return { ...flow, status: kept?.statusAtSnapshot ?? FIRST_STATUS, updatedAt: now };
    });
  }

  /** Takes the flow from one status to the next, with what must be done before in the same transaction. */
  private async move(
    scope: WorkspaceScope,
    id: string,
    action: FlowAction,
    before: (tx: Transaction, flow: Flow, now: Date) => Promise<void>,
  ): Promise<Flow> {
    return this.changed.change(scope, id, async (tx, flow, now) => {
      const status = nextStatus(flow.status, action);
      if (!status)
        throw new DomainError('validation_error', `The flow is ${flow.status}: you cannot ${action} it.`);
      await before(tx, flow, now);
      return { ...flow, status, updatedAt: now };
    });
  }
}

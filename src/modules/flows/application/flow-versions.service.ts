/** Version history of flows, sections 2.4 and 4.2. */
import { Injectable } from '@nestjs/common';
import { batched, type Batched } from '../../../kernel/batches.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { actorOf, type Principal } from '../../../kernel/principal.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { assertMayCheckAddresses } from '../domain/address-checks.js';
import { restoredFlow } from '../domain/flow-change.js';
import { assertSettings } from '../domain/flow-settings.js';
import { RESTORABLE } from '../domain/flow-transitions.js';
import type { FlowVersion, FlowVersionSummary, RestoreOptions } from '../domain/flow-version.js';
import type { Flow } from '../domain/flow.js';
import { tripsInFlightError } from '../domain/trips-in-flight-error.js';
import { FlowVersionRepository } from '../persistence/flow-version.repository.js';
import { FlowWriter } from './flow-writer.js';
import { TripCounts } from './trip-counts.port.js';

@Injectable()
export class FlowVersionsService {
  constructor(
    private readonly database: Database,
    private readonly writer: FlowWriter,
    private readonly versions: FlowVersionRepository,
    private readonly tripCounts: TripCounts,
  ) {}

  /**
   * All snapshots of a flow, newest first.
   * @throws DomainError flow_not_found.
   */
  async list(scope: WorkspaceScope, id: string): Promise<Batched<FlowVersion>> {
    const plan = await this.database.inScope(scope, async (tx) => {
      const flow = await this.writer.find(tx, scope, id);
      return this.versions.sizes(tx, scope, flow.id);
    });
    return batched(plan, (ids) => this.database.inScope(scope, (tx) => this.versions.byIds(tx, scope, ids)));
  }

  /**
   * A page of a flow's snapshots without their steps, newest first.
   * @throws DomainError flow_not_found.
   */
  async page(
    scope: WorkspaceScope,
    id: string,
    { first, after }: PageRequest,
  ): Promise<{ readonly versions: Slice<FlowVersionSummary>; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => {
      const flow = await this.writer.find(tx, scope, id);
      const page = { limit: first + 1, after };
      const { versions, total } = await this.versions.page(tx, scope, flow.id, page);
      return { versions: sliceOf(versions, first), total };
    });
  }

  /**
   * The latest snapshot of a version.
   * @param version undefined if it is not a version number.
   * @throws DomainError flow_not_found, flow_version_not_found.
   */
  async get(scope: WorkspaceScope, id: string, version: number | undefined): Promise<FlowVersion> {
    return this.database.inScope(scope, async (tx) => {
      const flow = await this.writer.find(tx, scope, id);
      return this.latest(tx, scope, flow.id, version);
    });
  }

  /**
   * Restores the content of a version as the next version. The state before it is stored; status, audience and trips
   * do not change. The checks run in the order of section 4.2.
   * @param by who restores it.
   * @param readOptions reads the request after flow and version have been found; it may throw.
   * @throws DomainError flow_not_found, validation_error for an active flow, flow_version_not_found,
   *   flow_has_inflight_trips (of the scope's environment), invalid_field for settings that are no longer valid,
   *   missing_permission for steps that search parts of addresses, which the caller may not read.
   */
  async restore(
    scope: TenantScope,
    id: string,
    version: number | undefined,
    by: Principal,
    readOptions: () => RestoreOptions,
  ): Promise<Flow> {
    return this.writer.change(scope, id, async (tx, flow, now) => {
      if (!RESTORABLE.includes(flow.status))
        throw new DomainError(
          'validation_error',
          `The flow is ${flow.status}: pause or stop it to restore a version.`,
        );
      const content = await this.latest(tx, scope, flow.id, version);
      const { changeSummary, force } = readOptions();
      const inFlight = force ? 0 : await this.tripCounts.countInFlight(tx, scope, flow.id);
      if (inFlight > 0)
        throw tripsInFlightError(
          inFlight,
          'stop the flow first (activate a paused flow before stopping it), or send force: true',
        );
      assertSettings(content.settings);
      assertMayCheckAddresses(by, content.steps);
      const summary = changeSummary ?? `Restored version ${content.version}`;
      const note = { changedBy: actorOf(by), changeSummary: summary };
      await this.writer.snapshot(tx, scope, flow, note, now);
      return restoredFlow(flow, content, now);
    });
  }

  private async latest(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    version: number | undefined,
  ): Promise<FlowVersion> {
    const found = version === undefined ? undefined : await this.versions.latest(tx, scope, flowId, version);
    if (!found)
      throw new DomainError(
        'flow_version_not_found',
        `The flow has no version ${version ?? 'with that number'}.`,
      );
    return found;
  }
}

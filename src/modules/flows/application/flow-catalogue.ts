/**
 * Flows as the engine reads them: which flows an event triggers, and the definition of each version (sections 2.3,
 * 6.3).
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import type { FlowSettings, ListeningFlow } from '../domain/flow.js';
import type { SendSteps } from '../domain/send-steps.js';
import { FlowRepository, type FlowDefinition } from '../persistence/flow.repository.js';

export type { FlowDefinition };

/** Capacity of the cache in characters of versions' steps, and the minimum that each version counts for. */
const CACHE_CHARS = 64 * 1024 * 1024;
const MIN_VERSION_CHARS = 1_024;
/** Maximum number of flows whose settings are cached, and whose send steps are cached. */
const MAX_CACHED_FLOWS = 20_000;

@Injectable()
export class FlowCatalogue {
  private readonly definitions: TenantCache<FlowDefinition>;
  private readonly settings: TenantCache<FlowSettings>;
  private readonly sendSteps: TenantCache<SendSteps>;

  constructor(
    private readonly flows: FlowRepository,
    feed: ChangeFeed,
  ) {
    this.definitions = new TenantCache(feed, 'flows', {
      capacity: CACHE_CHARS,
      weigh: ({ steps }) => MIN_VERSION_CHARS + JSON.stringify(steps).length,
    });
    this.settings = new TenantCache(feed, 'flows', { capacity: MAX_CACHED_FLOWS });
    this.sendSteps = new TenantCache(feed, 'flows', {
      capacity: MAX_CACHED_FLOWS,
      weigh: ({ size }) => size,
    });
  }

  /**
   * The definition of a version of a flow; undefined if it no longer exists. Cached in the process until a flow
   * changes.
   */
  async definition(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    version: number,
  ): Promise<FlowDefinition | undefined> {
    const key = `${flowId} ${version}`;
    const found = await this.definitions.getMany(scope.workspaceId, [key], async () => {
      const definition = await this.flows.definition(tx, scope, flowId, version);
      return new Map(definition ? [[key, definition]] : []);
    });
    return found.get(key);
  }

  /** The current settings of flows, by flow. Cached in the process until a flow changes. */
  async settingsOf(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowSettings>> {
    return this.settings.getMany(scope.workspaceId, flowIds, (missing) =>
      this.flows.settingsOf(tx, scope, missing),
    );
  }

  /** The settings of flows as the transaction sees them; bypasses the cache. */
  async settingsNow(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowSettings>> {
    return this.flows.settingsOf(tx, scope, flowIds);
  }

  /** The current send steps of flows, by flow. Cached in the process until a flow changes. */
  async sendStepsOf(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, SendSteps>> {
    return this.sendSteps.getMany(scope.workspaceId, flowIds, (missing) =>
      this.flows.sendStepsOf(tx, scope, missing),
    );
  }

  /** Like `sendStepsOf`, but as the transaction sees them; bypasses the cache. */
  async sendStepsNow(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, SendSteps>> {
    return this.flows.sendStepsOf(tx, scope, flowIds);
  }

  /**
   * Active flows that at least one of the events triggers. They stay locked against pause and stop until the
   * transaction ends, so no trip starts after a pause or stop was answered.
   */
  async listening(
    tx: Transaction,
    scope: WorkspaceScope,
    eventNames: readonly string[],
  ): Promise<ListeningFlow[]> {
    return eventNames.length === 0 ? [] : this.flows.listening(tx, scope, eventNames);
  }
}

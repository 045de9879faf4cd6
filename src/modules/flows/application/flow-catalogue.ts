/** Flows as the engine reads them: which of them an event triggers, and what a version says (sections 2.3, 6.3). */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import type { FlowSettings, ListeningFlow } from '../domain/flow.js';
import type { SendSteps } from '../domain/send-steps.js';
import { FlowRepository, type FlowDefinition } from '../persistence/flow.repository.js';

export type { FlowDefinition };

/** Characters of versions' steps that are kept in the process, and what any version counts for at least. */
const CAPACITY = 64 * 1024 * 1024;
const LEAST = 1_024;
/** Flows whose settings are kept, and steps that send of flows. */
const MOST_SETTINGS = 20_000;

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
      capacity: CAPACITY,
      weigh: ({ steps }) => LEAST + JSON.stringify(steps).length,
    });
    this.settings = new TenantCache(feed, 'flows', { capacity: MOST_SETTINGS });
    this.sendSteps = new TenantCache(feed, 'flows', { capacity: MOST_SETTINGS, weigh: ({ size }) => size });
  }

  /** What a version of a flow says; undefined when it is gone. Kept in the process until a flow changes. */
  async definition(
    tx: Transaction,
    scope: WorkspaceScope,
    flowId: string,
    version: number,
  ): Promise<FlowDefinition | undefined> {
    const key = `${flowId} ${version}`;
    const found = await this.definitions.many(scope.workspaceId, [key], async () => {
      const definition = await this.flows.definition(tx, scope, flowId, version);
      return new Map(definition ? [[key, definition]] : []);
    });
    return found.get(key);
  }

  /** The settings of flows as they stand now, by flow. Kept in the process until a flow changes. */
  async settingsOf(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowSettings>> {
    return this.settings.many(scope.workspaceId, flowIds, (missing) =>
      this.flows.settingsOf(tx, scope, missing),
    );
  }

  /** The settings of flows as the transaction sees them, whatever is kept. */
  async settingsNow(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowSettings>> {
    return this.flows.settingsOf(tx, scope, flowIds);
  }

  /** The steps that send of flows as they stand now, by flow. Kept in the process until a flow changes. */
  async sendStepsOf(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, SendSteps>> {
    return this.sendSteps.many(scope.workspaceId, flowIds, (missing) =>
      this.flows.sendStepsOf(tx, scope, missing),
    );
  }

  /** As `sendStepsOf`, as the transaction sees them, whatever is kept. */
  async sendStepsNow(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, SendSteps>> {
    return this.flows.sendStepsOf(tx, scope, flowIds);
  }

  /**
   * Active flows that one of the events triggers. They stay locked against pause and stop until the transaction ends,
   * so that no trip starts after the answer to either.
   */
  async listening(
    tx: Transaction,
    scope: WorkspaceScope,
    eventNames: readonly string[],
  ): Promise<ListeningFlow[]> {
    return eventNames.length === 0 ? [] : this.flows.listening(tx, scope, eventNames);
  }
}

/** Flows as the engine reads them: which of them an event triggers, and what a version says (sections 2.3, 6.3). */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import type { ListeningFlow } from '../domain/flow.js';
import { FlowRepository, type FlowDefinition } from '../persistence/flow.repository.js';

export type { FlowDefinition };

/** Characters of versions' steps that are kept in the process, and what any version counts for at least. */
const CAPACITY = 64 * 1024 * 1024;
const LEAST = 1_024;

@Injectable()
export class FlowCatalogue {
  private readonly definitions: TenantCache<FlowDefinition>;

  constructor(
    private readonly flows: FlowRepository,
    feed: ChangeFeed,
  ) {
    this.definitions = new TenantCache(feed, 'flows', {
      capacity: CAPACITY,
      weigh: ({ steps }) => LEAST + JSON.stringify(steps).length,
    });
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

/** One action on many flows, section 4.2: each flow by itself, so that one that fails leaves the others done. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import type { BulkAction } from '../domain/flow-transitions.js';
import { FlowLifeCycle } from './flow-life-cycle.js';

/** A flow that the action was not done on, and what was thrown instead. */
export interface FailedFlow {
  readonly flowId: string;
  readonly cause: unknown;
}

export interface BulkOutcome {
  readonly success: number;
  readonly failed: number;
  readonly errors: readonly FailedFlow[];
}

@Injectable()
export class FlowBulkService {
  constructor(
    private readonly lifeCycle: FlowLifeCycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Does the action on each flow, one after the other and each once.
   * @param ids at most MOST_IN_BULK.
   */
  async act(
    scope: WorkspaceScope,
    ids: readonly string[],
    action: BulkAction,
    actor: string,
  ): Promise<BulkOutcome> {
    const errors: FailedFlow[] = [];
    const once = new Set(ids.map((id) => id.toLowerCase()));
    for (const flowId of once)
      try {
        await this.one(scope, flowId, action, actor);
      } catch (cause) {
        if (!(cause instanceof DomainError))
          this.logger.error({ err: cause, flowId }, 'A flow of a bulk action failed');
        errors.push({ flowId, cause });
      }
    return { success: once.size - errors.length, failed: errors.length, errors };
  }

  private async one(scope: WorkspaceScope, id: string, action: BulkAction, actor: string): Promise<unknown> {
    switch (action) {
      case 'activate':
        return this.lifeCycle.activate(scope, id);
      case 'pause':
        return this.lifeCycle.pause(scope, id);
      case 'stop':
        return this.lifeCycle.stop(scope, id, actor);
    }
  }
}

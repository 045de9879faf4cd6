/**
 * Runs one action on many flows, section 4.2. Each flow is processed separately, so one failure does not affect the
 * others.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainError } from '../../../kernel/domain-error.js';
import { MINUTE } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { NO_TOKENS } from '../../inspect/application/pre-send-gate.js';
import type { BulkAction } from '../domain/flow-transitions.js';
import { FlowLifeCycle } from './flow-life-cycle.js';

/** How long, in milliseconds, an activation of many flows may check what the flows send. */
const MAX_CHECK_MS = 2 * MINUTE;

/** A flow on which the action failed, and the error. */
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
   * Runs the action on each flow once, one after the other.
   * @param ids at most MAX_BULK_FLOWS.
   */
  async act(
    scope: TenantScope,
    ids: readonly string[],
    action: BulkAction,
    actor: string,
  ): Promise<BulkOutcome> {
    const errors: FailedFlow[] = [];
    const signal = AbortSignal.timeout(MAX_CHECK_MS);
    const uniqueIds = new Set(ids.map((id) => id.toLowerCase()));
    for (const flowId of uniqueIds)
      try {
        await this.runOne(scope, flowId, { action, actor, signal });
      } catch (cause) {
        if (!(cause instanceof DomainError))
          this.logger.error({ err: cause, flowId }, 'A flow of a bulk action failed');
        errors.push({ flowId, cause });
      }
    return { success: uniqueIds.size - errors.length, failed: errors.length, errors };
  }

  private async runOne(
    scope: TenantScope,
    id: string,
    { action, actor, signal }: { action: BulkAction; actor: string; signal: AbortSignal },
  ): Promise<unknown> {
    switch (action) {
      case 'activate':
        return this.lifeCycle.activate(scope, id, { ...NO_TOKENS, signal });
      case 'pause':
        return this.lifeCycle.pause(scope, id);
      case 'stop':
        return this.lifeCycle.stop(scope, id, actor);
    }
  }
}

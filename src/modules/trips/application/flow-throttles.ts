/** Gives delivery the throttles of flows: how fast their messages may leave. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { SendThrottles } from '../../delivery/application/send-throttles.port.js';
import type { Throttle } from '../../delivery/domain/throttle.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import type { FlowSettings } from '../../flows/domain/flow.js';
import { throttleOf } from '../domain/throttle-of.js';

@Injectable()
export class FlowThrottles extends SendThrottles {
  constructor(private readonly flows: FlowCatalogue) {
    super();
  }

  override async of(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, Throttle>> {
    return throttlesOf(await this.flows.settingsOf(tx, scope, flowIds));
  }

  override async read(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, Throttle>> {
    return throttlesOf(await this.flows.settingsNow(tx, scope, flowIds));
  }
}

function throttlesOf(flows: ReadonlyMap<string, FlowSettings>): ReadonlyMap<string, Throttle> {
  const throttles = new Map<string, Throttle>();
  for (const [flowId, settings] of flows) {
    const throttle = throttleOf(settings);
    if (throttle) throttles.set(flowId, throttle);
  }
  return throttles;
}

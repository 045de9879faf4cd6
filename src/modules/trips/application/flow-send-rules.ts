/** Gives delivery the rules that flows set for sending their messages, and reports changes of these rules. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { HeldMessages } from '../../delivery/application/held-messages.js';
import { SendRules } from '../../delivery/application/send-rules.port.js';
import { hoursOf, type StepRules } from '../../delivery/domain/send-hours-settings.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import { FlowChanges } from '../../flows/application/flow-changes.port.js';
import type { Flow } from '../../flows/domain/flow.js';
import { sendStepsOf } from '../../flows/domain/send-steps.js';
import { throttleOf } from '../domain/throttle-of.js';

@Injectable()
export class FlowSendRules extends SendRules {
  constructor(private readonly flows: FlowCatalogue) {
    super();
  }

  override async of(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StepRules>> {
    return this.flows.sendStepsOf(tx, scope, flowIds);
  }

  override async read(
    tx: Transaction,
    scope: WorkspaceScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, StepRules>> {
    return this.flows.sendStepsNow(tx, scope, flowIds);
  }
}

@Injectable()
export class FlowRuleChanges extends FlowChanges {
  constructor(private readonly held: HeldMessages) {
    super();
  }

  override async handleChange(
    tx: Transaction,
    scope: WorkspaceScope,
    { before, after }: { readonly before: Flow; readonly after: Flow },
    now: Date,
  ): Promise<void> {
    const differs = (partOf: (flow: Flow) => unknown): boolean =>
      JSON.stringify(partOf(before)) !== JSON.stringify(partOf(after));
    const changes = {
      hours: before.steps !== after.steps && differs(hoursOfSteps),
      throttle: before.settings !== after.settings && differs(({ settings }) => throttleOf(settings)),
    };
    await this.held.sourceChanged(tx, scope, after.id, changes, now);
  }
}

function hoursOfSteps({ steps }: Flow): unknown {
  return [...sendStepsOf(steps)].map(([id, settings]) => [id, hoursOf(settings ?? {})]);
}

/** Reads the rules that gates apply: the workspace's settings, and the current settings of flow steps. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import { withCurrentHours, type StepRules } from '../domain/send-hours-settings.js';
import type { SendOptions } from '../domain/email-log.js';
import type { GateRules } from '../domain/gate-order.js';
import { SendRules } from './send-rules.port.js';

/** A message, and the flow step that requested it; null if none did. */
export interface GatedMessageSource {
  readonly sourceId: string | null;
  readonly stepId: number | null;
  readonly options: SendOptions;
}

@Injectable()
export class GateRulesReader {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly steps: SendRules,
  ) {}

  /**
   * The rules from this process's cache.
   * @param settings the workspace's settings.
   */
  async cached<Message extends GatedMessageSource>(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly Message[],
    settings: WorkspaceSettings,
  ): Promise<GateRules<Message>> {
    const flowIds = flowsOf(messages);
    return rulesOf(settings, flowIds.length > 0 ? await this.steps.of(tx, scope, flowIds) : new Map());
  }

  /** The rules from the database. */
  async read<Message extends GatedMessageSource>(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly Message[],
  ): Promise<GateRules<Message>> {
    const flowIds = flowsOf(messages);
    const settings = await this.workspaces.currentSettings(tx, scope);
    return rulesOf(settings, flowIds.length > 0 ? await this.steps.read(tx, scope, flowIds) : new Map());
  }
}

function flowsOf(messages: readonly GatedMessageSource[]): string[] {
  const ids = messages.flatMap(({ sourceId, stepId }) => (sourceId && stepId !== null ? [sourceId] : []));
  return [...new Set(ids)];
}

function rulesOf<Message extends GatedMessageSource>(
  workspace: WorkspaceSettings,
  flows: ReadonlyMap<string, StepRules>,
): GateRules<Message> {
  return {
    workspace,
    settingsOf: ({ sourceId, stepId, options: { emailSendSettings: own } }) => {
      const steps = sourceId === null ? undefined : flows.get(sourceId);
      return withCurrentHours(own, stepId === null ? undefined : steps?.get(stepId));
    },
  };
}

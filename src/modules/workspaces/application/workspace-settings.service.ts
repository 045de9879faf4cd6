/** Changes what holds back a workspace's messages, those that are being held included. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { liveTransports } from '../../../platform/config/mail-transports.js';
import {
  changedSettings,
  transportsProblem,
  type SettingsChange,
  type Workspace,
} from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';
import { SettingsChanges } from './settings-changes.port.js';
import { workspaceSuspended } from './workspace.service.js';

@Injectable()
export class WorkspaceSettingsService {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: SettingsChanges,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /** Names of the ways that the operator has for live mail, in order. */
  get mailTransports(): string[] {
    return liveTransports(this.config).map(({ name }) => name);
  }

  /** @throws DomainError invalid_field, workspace_suspended, not_found. */
  async change(scope: WorkspaceScope, change: SettingsChange): Promise<Workspace> {
    const problem = change.mailTransports && transportsProblem(change.mailTransports, this.mailTransports);
    if (problem !== undefined && problem !== null)
      throw invalidFields([{ field: 'mailTransports', message: problem }]);
    const now = this.clock.now();
    const workspace = await this.workspaces.change(
      scope,
      now,
      (present) => {
        if (present.status === 'suspended') throw workspaceSuspended();
        return { settings: changedSettings(present.settings, change) };
      },
      (tx) => this.changes.changed(tx, scope, now),
    );
    if (!workspace) throw new DomainError('not_found', 'There is no such workspace.');
    return workspace;
  }
}

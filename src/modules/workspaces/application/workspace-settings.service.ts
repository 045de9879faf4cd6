/** Changes what holds back a workspace's messages, those that are being held included. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { changedSettings, type SettingsChange, type Workspace } from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';
import { SettingsChanges } from './settings-changes.port.js';
import { workspaceSuspended } from './workspace.service.js';

@Injectable()
export class WorkspaceSettingsService {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: SettingsChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError workspace_suspended, not_found. */
  async change(scope: WorkspaceScope, change: SettingsChange): Promise<Workspace> {
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

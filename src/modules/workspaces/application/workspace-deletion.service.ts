/**
 * Orders and cancels the deletion of a workspace, by its owner. From the order on the workspace is read-only and
 * sends nothing; fourteen days later all its data is deleted.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { SettingsChanges } from './settings-changes.port.js';
import { DELETION_GRACE_MS, matchesName, type Workspace } from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';

@Injectable()
export class WorkspaceDeletionService {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly audit: AuditLog,
    private readonly changes: SettingsChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Orders the deletion. If it was already ordered, its time does not change.
   * @param typedName the workspace's name.
   * @throws DomainError invalid_field for another name, not_found.
   */
  async schedule(scope: WorkspaceScope, typedName: string, author: Author): Promise<Workspace> {
    const due = new Date(this.clock.now().getTime() + DELETION_GRACE_MS);
    return this.change(scope, author, ({ name, deletionAt }) => {
      if (!matchesName(typedName, name))
        throw invalidFields([{ field: 'name', message: 'must be the name of the workspace' }]);
      return deletionAt ?? due;
    });
  }

  /**
   * Cancels the deletion.
   * @throws DomainError conflict once the deletion has begun, not_found.
   */
  async cancel(scope: WorkspaceScope, author: Author): Promise<Workspace> {
    return this.change(scope, author, () => null);
  }

  private async change(
    scope: WorkspaceScope,
    author: Author,
    due: (workspace: Workspace) => Date | null,
  ): Promise<Workspace> {
    const now = this.clock.now();
    const workspace = await this.workspaces.changeDeletion(
      scope,
      now,
      (current) => {
        if (current.isBeingDeleted) throw new DomainError('conflict', 'The workspace is being deleted.');
        return due(current);
      },
      async (tx, before, after) => {
        await this.changes.changed(tx, scope, now);
        await this.audit.record(tx, scope, author, {
          action: after.deletionAt ? 'workspace_deletion_ordered' : 'workspace_deletion_taken_back',
          subjectId: scope.workspaceId,
          before: { deletionAt: before.deletionAt?.toISOString() ?? null },
          after: { deletionAt: after.deletionAt?.toISOString() ?? null },
        });
      },
    );
    if (!workspace) throw new DomainError('not_found', 'No such workspace exists.');
    return workspace;
  }
}

/**
 * Changes that people make to their workspace: settings, sender, company, going live. Each is recorded with its
 * author.
 */
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { liveTransports } from '../../../platform/config/mail-transports.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ApiKeyService } from '../../api-keys/application/api-key.service.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import type { AuditAction } from '../../audit/domain/audit-entry.js';
import {
  describeGaps,
  missingForGoLive,
  changedCompany,
  changedSender,
  changedSettings,
  transportsProblem,
  type CompanyChange,
  type SenderChange,
  type SettingsChange,
  type Workspace,
} from '../domain/workspace.js';
import { WorkspaceRepository, type ChangedPart } from '../persistence/workspace.repository.js';
import { SettingsChanges } from './settings-changes.port.js';
import { workspaceSuspended } from './workspace.service.js';

/** The parts that people change; only the operator changes rates. */
type EditablePart = Exclude<ChangedPart, 'customRates'>;

const ACTIONS: Readonly<Record<EditablePart, AuditAction>> = {
  settings: 'settings_changed',
  sender: 'sender_changed',
  company: 'company_changed',
};

@Injectable()
export class WorkspaceChangesService {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly keys: ApiKeyService,
    private readonly settingsChanges: SettingsChanges,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /** Names of the operator's transports for live mail, in order. */
  get mailTransports(): string[] {
    return liveTransports(this.config).map(({ name }) => name);
  }

  /**
   * Changes the settings that hold back the workspace's messages, including those being held.
   * @throws DomainError invalid_field, workspace_suspended, not_found.
   */
  async changeSettings(scope: WorkspaceScope, change: SettingsChange, author: Author): Promise<Workspace> {
    const problem = change.mailTransports && transportsProblem(change.mailTransports, this.mailTransports);
    if (problem !== undefined && problem !== null)
      throw invalidFields([{ field: 'mailTransports', message: problem }]);
    const now = this.clock.now();
    const changed = ({ settings }: Workspace) => changedSettings(settings, change);
    return this.change(scope, 'settings', changed, author, now, (tx) =>
      this.settingsChanges.changed(tx, scope, now),
    );
  }

  /**
   * Changes the sender of the workspace's messages.
   * @throws DomainError workspace_suspended, not_found.
   */
  async changeSender(scope: WorkspaceScope, change: SenderChange, author: Author): Promise<Workspace> {
    return this.change(scope, 'sender', ({ sender }) => changedSender(sender, change), author);
  }

  /**
   * Changes the company named in the footer of commercial mail.
   * @throws DomainError workspace_suspended, not_found.
   */
  async changeCompany(scope: WorkspaceScope, change: CompanyChange, author: Author): Promise<Workspace> {
    return this.change(scope, 'company', ({ company }) => changedCompany(company, change), author);
  }

  /**
   * Allows the workspace to send to real people. A live workspace stays live.
   * @throws DomainError go_live_incomplete with `missing`, workspace_suspended, not_found.
   */
  async goLive(scope: WorkspaceScope, author: Author): Promise<Workspace> {
    const now = this.clock.now();
    const workspace = await this.workspaces.goLive(
      scope,
      now,
      async (tx, current) => {
        if (current.status === 'suspended') throw workspaceSuspended();
        if (current.liveAt) return;
        const missing = missingForGoLive(current, await this.keys.hasUsable(tx, scope));
        if (missing.length > 0)
          throw new DomainError('go_live_incomplete', describeGaps(missing), { missing });
      },
      (tx) =>
        this.audit.record(tx, scope, author, {
          action: 'went_live',
          subjectId: scope.workspaceId,
          before: { liveAt: null },
          after: { liveAt: now.toISOString() },
        }),
    );
    if (!workspace) throw noWorkspace();
    return workspace;
  }

  private async change<Changed extends EditablePart>(
    scope: WorkspaceScope,
    part: Changed,
    changed: (workspace: Workspace) => Workspace[Changed],
    author: Author,
    now = this.clock.now(),
    announce: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<Workspace> {
    const workspace = await this.workspaces.change(
      scope,
      now,
      (current) => {
        if (current.status === 'suspended') throw workspaceSuspended();
        return { [part]: changed(current) };
      },
      async (tx, before, after) => {
        await announce(tx);
        if (isDeepStrictEqual(before[part], after[part])) return;
        await this.audit.record(tx, scope, author, {
          action: ACTIONS[part],
          subjectId: scope.workspaceId,
          before: jsonOf(before[part]),
          after: jsonOf(after[part]),
        });
      },
    );
    if (!workspace) throw noWorkspace();
    return workspace;
  }
}

function jsonOf(part: Workspace[EditablePart]): JsonObject {
  return { ...part };
}

function noWorkspace(): DomainError {
  return new DomainError('not_found', 'No such workspace exists.');
}

/** The spam check of a run (section 4.7): our own rules, and the operator's SpamAssassin if a workspace wants it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Threads } from '../../../platform/threads/threads.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { RenderedMessage, SourcePiece } from '../domain/analysis/analysis.js';
import type { CheckOutcome } from '../domain/runs/check.js';
import type { RuleFinding } from '../domain/findings/finding.js';
import type { SpamProvider } from '../domain/runs/inspect-config.js';
import { FIND_SPAM } from '../domain/inspect-tasks.js';
import { spamdFindings } from '../domain/spam/spamd-answer.js';
import { DeliveredMessage } from './delivered-message.js';
import { SpamFilter, SpamFilterFailure } from './spam-filter.port.js';

export interface SpamCheckInput {
  readonly scope: TenantScope;
  readonly message: RenderedMessage;
  readonly pieces: readonly SourcePiece[];
  readonly provider: SpamProvider;
}

@Injectable()
export class SpamChecks {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly messages: DeliveredMessage,
    private readonly filter: SpamFilter,
    private readonly threads: Threads,
  ) {}

  /**
   * Checks a rendered message. If the filter gives no verdict, the check fails with its reason; the findings of our own
   * rules are reported all the same.
   * @throws DomainError work_too_costly, service_unavailable as Threads.run; the signal's reason when it is aborted.
   */
  async check(
    { scope, message, pieces, provider }: SpamCheckInput,
    signal: AbortSignal,
  ): Promise<CheckOutcome> {
    const workspace = await this.workspaces.get(scope);
    const { fromEmail, fromName, replyTo } = workspace.sender;
    const sender = { fromEmail, fromName, replyTo };
    const input = { message, pieces, sender };
    const { findings, omitted } = await this.threads.run(scope.workspaceId, FIND_SPAM, input);
    signal.throwIfAborted();
    if (provider === 'builtin') return { name: 'spam', status: 'done', detail: null, findings, omitted };
    try {
      const verdictFindings = await this.judge(scope, workspace, message, signal);
      return {
        name: 'spam',
        status: 'done',
        detail: null,
        findings: [...findings, ...verdictFindings],
        omitted,
      };
    } catch (error) {
      if (!(error instanceof SpamFilterFailure)) throw error;
      return { name: 'spam', status: 'failed', detail: error.message, findings, omitted };
    }
  }

  private async judge(
    scope: TenantScope,
    workspace: Workspace,
    message: RenderedMessage,
    signal: AbortSignal,
  ): Promise<RuleFinding[]> {
    const bytes = await this.messages.compose(scope, workspace, message);
    if (!bytes) throw new SpamFilterFailure('SpamAssassin was not used: the sender address is malformed.');
    return spamdFindings(await this.filter.judge(bytes, signal));
  }
}

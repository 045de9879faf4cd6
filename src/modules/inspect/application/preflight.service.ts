/** Preflight of templates, section 4.3: what the template says, and what the workspace says of its sender. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { TemplateService } from '../../templates/application/template.service.js';
import { textOf } from '../../templates/domain/new-template.js';
import type { Template } from '../../templates/domain/template.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { isCompanyComplete } from '../../workspaces/domain/workspace.js';
import type { Preflight } from '../domain/finding.js';
import { preflight } from '../domain/preflight.js';
import type { SenderFacts } from '../domain/sender.js';

@Injectable()
export class PreflightService {
  constructor(
    private readonly templates: TemplateService,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Examines a saved template.
   * @throws DomainError template_not_found.
   */
  async examine(scope: WorkspaceScope, slug: string): Promise<Preflight> {
    const content = await this.templates.getBySlug(scope, slug);
    return preflight({ content, sender: await this.senderOf(scope) });
  }

  /** Examines content that is saved nowhere. */
  async examineContent(
    scope: WorkspaceScope,
    content: Pick<Template, 'subject' | 'bodyHtml' | 'templateLanguage'>,
  ): Promise<Preflight> {
    const complete = { ...content, bodyText: textOf(content) };
    return preflight({ content: complete, sender: await this.senderOf(scope) });
  }

  private async senderOf(scope: WorkspaceScope): Promise<SenderFacts> {
    const { sender, company, liveAt } = await this.workspaces.get(scope);
    return {
      fromEmail: sender.fromEmail,
      replyTo: sender.replyTo,
      companyComplete: isCompanyComplete(company),
      live: liveAt !== null && liveAt <= this.clock.now(),
      sharedDomain: this.config.sharedSendingDomain,
    };
  }
}

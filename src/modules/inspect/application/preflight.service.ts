/** Preflight of templates, section 4.3: checks the template and the workspace's sender settings. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { additionsOf, type SentAdditions } from '../../delivery/domain/sent-additions.js';
import { OwnDomainsService } from '../../domains/application/own-domains.js';
import { TemplateService } from '../../templates/application/template.service.js';
import { Threads } from '../../../platform/threads/threads.js';
import type { Content } from '../../templates/domain/new-template.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { isCompanyComplete } from '../../workspaces/domain/workspace.js';
import type { Preflight } from '../domain/preflight/preflight-answer.js';
import { PREFLIGHT } from '../domain/inspect-tasks.js';
import { senderDomain, type SenderInputs } from '../domain/checks/sender.js';

@Injectable()
export class PreflightService {
  constructor(
    private readonly templates: TemplateService,
    private readonly workspaces: WorkspaceService,
    private readonly ownDomains: OwnDomainsService,
    private readonly threads: Threads,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Checks a saved template.
   * @throws DomainError template_not_found; work_too_costly, service_unavailable as Threads.run.
   */
  async checkTemplate(scope: WorkspaceScope, slug: string): Promise<Preflight> {
    const content = await this.templates.getBySlug(scope, slug);
    return this.preflight(scope, content);
  }

  /**
   * Checks content that is not saved.
   * @throws DomainError work_too_costly, service_unavailable as Threads.run.
   */
  async checkContent(scope: WorkspaceScope, content: Content): Promise<Preflight> {
    return this.preflight(scope, { ...content, bodyText: null });
  }

  private async preflight(
    scope: WorkspaceScope,
    { subject, bodyHtml, bodyText, templateLanguage }: Content & { readonly bodyText: string | null },
  ): Promise<Preflight> {
    const sender = await this.senderOf(scope);
    const content = { subject, bodyHtml, bodyText, templateLanguage };
    const allowedHosts = this.config.inspectAllowHosts;
    const sent = { additions: await this.additionsOf(scope), now: this.clock.now() };
    return this.threads.run(scope.workspaceId, PREFLIGHT, { content, sender, allowedHosts, sent });
  }

  /** What delivery adds to the workspace's promotional mail. */
  async additionsOf(scope: WorkspaceScope): Promise<SentAdditions> {
    return additionsOf(await this.workspaces.get(scope), this.config.baseUrl);
  }

  /** The facts about the sender of the workspace's mail. */
  async senderOf(scope: WorkspaceScope): Promise<SenderInputs> {
    const { sender, company, liveAt } = await this.workspaces.get(scope);
    const ownDomains = await this.ownDomains.of(scope);
    const now = this.clock.now();
    return {
      fromEmail: sender.fromEmail,
      replyTo: sender.replyTo,
      companyComplete: isCompanyComplete(company),
      live: liveAt !== null && liveAt <= now,
      sharedDomain: this.config.sharedSendingDomain,
      isOwnDomain: ownDomains.find(senderDomain(sender.fromEmail), now) !== undefined,
    };
  }
}

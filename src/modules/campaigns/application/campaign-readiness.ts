/** Loads and checks what a campaign needs before it is sent: templates, segment, sender, monthly allowance. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.js';
import { resolveFrom } from '../../delivery/domain/sender-address.js';
import { gatedTemplates, type GatedTemplate } from '../../inspect/domain/gate/gate.js';
import { MonthlyEmails } from '../../limits/application/monthly-emails.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import { SegmentService } from '../../segments/application/segment.service.js';
import { TemplateService } from '../../templates/application/template.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { campaignIncomplete, NO_SEGMENT } from '../domain/campaign-errors.js';
import { variantsOf, type Campaign } from '../domain/campaign.js';
import { assertReady } from '../domain/readiness.js';

@Injectable()
export class CampaignReadiness {
  constructor(
    private readonly templates: TemplateService,
    private readonly segments: SegmentService,
    private readonly workspaces: WorkspaceService,
    private readonly emails: MonthlyEmails,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Returns the templates that the campaign sends, without duplicates. They cannot change until the transaction ends,
   * so what is checked is what is frozen.
   * @throws DomainError campaign_incomplete, template_errors.
   */
  async assertReady(tx: Transaction, scope: TenantScope, campaign: Campaign): Promise<GatedTemplate[]> {
    const variants = variantsOf(campaign);
    const ids = variants.flatMap(({ templateId }) => templateId ?? []);
    const templates = new Map(
      (await this.templates.shareByIds(tx, scope, [...new Set(ids)])).map((template) => [
        template.id,
        template,
      ]),
    );
    const { segmentId } = campaign;
    const existing = await this.segments.existing(tx, scope, segmentId === null ? [] : [segmentId]);
    const { sender, name } = await this.workspaces.get(scope);
    const domains = { shared: this.config.sharedSendingDomain, own: () => undefined };
    const sent = variants.map(({ templateId, subject }) => ({
      template: templateId === null ? undefined : templates.get(templateId),
      subject,
    }));
    assertReady(campaign, {
      templates: sent,
      hasSegment: existing.size > 0,
      hasSender: variants.every((variant) => ({ ...sender, ...variant.sender }).fromEmail !== undefined),
      senders: variants.map((variant) =>
        resolveFrom({ ...sender, ...variant.sender }, name, scope.environment, domains),
      ),
    });
    return gatedTemplates(sent.flatMap(({ template, subject }) => (template ? [{ template, subject }] : [])));
  }

  /** @throws DomainError campaign_incomplete if the segment no longer exists. */
  async assertSegment(tx: Transaction, scope: TenantScope, segmentId: string): Promise<void> {
    const existing = await this.segments.existing(tx, scope, [segmentId]);
    if (existing.size === 0) throw campaignIncomplete([NO_SEGMENT]);
  }

  /** @throws DomainError plan_limit_reached if the monthly allowance is used up. */
  async assertMonthlyAllowance(tx: Transaction, scope: TenantScope, planName: string): Promise<void> {
    const plan = planOf(planName);
    const { used } = await this.emails.used(tx, scope, this.clock.now());
    if (used >= plan.caps.emails) throw limitReached('emails', used, plan);
  }
}

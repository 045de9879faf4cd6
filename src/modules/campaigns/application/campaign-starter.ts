/** Starts an instance of a campaign: freezes its content, after which the worker takes its audience. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { FrozenTemplates } from '../../templates/application/frozen-templates.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import { variantsOf, type Campaign } from '../domain/campaign.js';
import type { CampaignInstance, FrozenVariant, InstanceTiming } from '../domain/instance.js';
import { wallClockOf, zoneOffset } from '../domain/send-moment.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignReadiness } from './campaign-readiness.js';

/** How an instance starts. */
export interface InstanceStart {
  /** The next status of the campaign. */
  readonly status: CampaignStatus;
  readonly scheduledAt: Date | null;
}

@Injectable()
export class CampaignStarter {
  constructor(
    private readonly readiness: CampaignReadiness,
    private readonly frozen: FrozenTemplates,
    private readonly instances: CampaignInstanceRepository,
    private readonly workspaces: WorkspaceService,
  ) {}

  /**
   * Starts the next instance of a locked campaign if nothing is missing, and returns the campaign as it is afterwards.
   * @throws DomainError campaign_incomplete, template_errors.
   */
  async startIfReady(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    start: InstanceStart,
    now: Date,
  ): Promise<Campaign> {
    await this.readiness.assertReady(tx, scope, campaign);
    return this.startInstance(tx, scope, campaign, start, now);
  }

  /**
   * As startIfReady, for a campaign that this transaction has checked already.
   * @throws DomainError campaign_incomplete if a template does not exist.
   */
  async startInstance(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    { status, scheduledAt }: InstanceStart,
    now: Date,
  ): Promise<Campaign> {
    const number = campaign.runs + 1;
    const instance: CampaignInstance = {
      ...{ id: uuidv7(now.getTime()), campaignId: campaign.id, number, scheduledAt, startedAt: now },
      status: campaign.abTest ? 'ab_testing' : campaign.recurrence ? 'sending' : status,
      content: {
        segmentId: campaign.segmentId ?? '',
        variants: await this.freeze(tx, scope, campaign, now),
        abTest: campaign.abTest,
      },
      timing: await this.timing(scope, campaign, scheduledAt, now),
      ...{ completedAt: null, takenTo: null, isTaken: false, audience: 0, skipped: 0, mailed: 0, rest: 0 },
      ...{ delayedMs: 0, pausedAt: null, sweep: null, sweepAfter: null },
      ...{ winner: null, decidedBy: null, decidedAt: null, restFrom: null },
      ...{ goalEvent: campaign.abTest?.goal?.eventName ?? null, goalUntil: null },
      ...{ pacedAt: null, paced: 0, perMinute: null },
    };
    await this.instances.insert(tx, scope, instance);
    return {
      ...campaign,
      ...{ status, runs: number, audienceSize: 0, lookAt: now, updatedAt: now, pausedReason: null },
      startedAt: campaign.startedAt ?? now,
    };
  }

  private async freeze(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    now: Date,
  ): Promise<FrozenVariant[]> {
    const variants: FrozenVariant[] = [];
    for (const { name, templateId, subject, sender } of variantsOf(campaign)) {
      const frozen = await this.frozen.freeze(tx, scope, templateId ?? '', now);
      // Another request has deleted the template in the meantime.
      if (!frozen)
        throw new DomainError('campaign_incomplete', 'The template of the campaign no longer exists.');
      const { id: frozenTemplateId, slug: templateSlug } = frozen;
      variants.push({ name, frozenTemplateId, templateId: frozen.templateId, templateSlug, subject, sender });
    }
    return variants;
  }

  private async timing(
    scope: TenantScope,
    { localTime, maxPerHour, scheduledOffset, recurrence }: Campaign,
    scheduledAt: Date | null,
    now: Date,
  ): Promise<InstanceTiming> {
    if (!localTime) return { maxPerHour, wallClock: null, offset: 0 };
    const moment = scheduledAt ?? now;
    const { settings } = await this.workspaces.get(scope);
    const zone = recurrence?.timezone ?? settings.timezone ?? 'UTC';
    const offset = scheduledAt && scheduledOffset !== null ? scheduledOffset : zoneOffset(zone, moment);
    return { maxPerHour, wallClock: wallClockOf(moment, offset), offset };
  }
}

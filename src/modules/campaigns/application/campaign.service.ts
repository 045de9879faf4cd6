/** Creates, reads and changes campaigns, sections 2.9 and 4.5. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { isStorableText } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { SegmentService } from '../../segments/application/segment.service.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { AbTest } from '../domain/ab-test.js';
import {
  changedCampaign,
  copyOfCampaign,
  newCampaign,
  type CampaignChange,
} from '../domain/campaign-change.js';
import type {
  CampaignCounts,
  CampaignFilter,
  CampaignOrder,
  CampaignPage,
} from '../domain/campaign-filter.js';
import { CAMPAIGN_STATUSES, assertMove } from '../domain/campaign-status.js';
import type { Campaign, CampaignContent } from '../domain/campaign.js';
import { CampaignRepository, type StatusCount } from '../persistence/campaign.repository.js';
import { StoredCampaigns } from './stored-campaigns.js';

export interface CampaignList {
  readonly campaigns: readonly Campaign[];
  readonly counts: CampaignCounts;
  /** The number of campaigns that match the filter. */
  readonly total: number;
}

@Injectable()
export class CampaignService {
  constructor(
    private readonly database: Database,
    private readonly campaigns: CampaignRepository,
    private readonly stored: StoredCampaigns,
    private readonly templates: TemplateService,
    private readonly segments: SegmentService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a campaign as a draft in the environment.
   * @param actor who creates it.
   * @throws DomainError template_not_found, segment_not_found.
   */
  async create(scope: TenantScope, content: CampaignContent, actor: string): Promise<Campaign> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const references = { ...content, ...(await this.resolveReferences(tx, scope, content)) };
      const campaign = newCampaign(references, { id: uuidv7(now.getTime()), createdBy: actor, now });
      await this.campaigns.insert(tx, scope, campaign);
      return campaign;
    });
  }

  /**
   * Returns one campaign.
   * @throws DomainError campaign_not_found, also for a campaign of the other environment.
   */
  async get(scope: TenantScope, id: string): Promise<Campaign> {
    return this.database.inScope(scope, (tx) => this.stored.find(tx, scope, id));
  }

  /**
   * Changes a draft.
   * @throws DomainError campaign_not_found, invalid_status, template_not_found, segment_not_found.
   */
  async update(scope: TenantScope, id: string, change: CampaignChange): Promise<Campaign> {
    return this.stored.change(scope, id, async (tx, campaign, now) => {
      assertMove('update', campaign);
      const references = await this.resolveReferences(tx, scope, change);
      return changedCampaign(campaign, { ...change, ...references }, now);
    });
  }

  /**
   * Deletes a draft permanently.
   * @throws DomainError campaign_not_found, invalid_status.
   */
  async remove(scope: TenantScope, id: string): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id, true);
      assertMove('delete', campaign);
      await this.campaigns.delete(tx, scope, campaign.id);
    });
  }

  /**
   * Creates a draft from a campaign of any status, without its schedule.
   * @throws DomainError campaign_not_found.
   */
  async duplicate(scope: TenantScope, id: string, actor: string): Promise<Campaign> {
    const now = this.clock.now();
    return this.database.inScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      const copy = copyOfCampaign(campaign, { id: uuidv7(now.getTime()), createdBy: actor, now });
      await this.campaigns.insert(tx, scope, copy);
      return copy;
    });
  }

  /** Returns a page of the environment's campaigns, with the number of campaigns per status. */
  async list(
    scope: TenantScope,
    filter: CampaignFilter,
    order: CampaignOrder,
    page: CampaignPage,
  ): Promise<CampaignList> {
    // Text that PostgreSQL cannot store occurs in no name, and cannot be a query parameter.
    const canFind = filter.search === undefined || isStorableText(filter.search);
    return this.database.listInScope(scope, async (tx) => {
      const found = await this.campaigns.counts(tx, scope, canFind ? filter : {});
      const campaigns = canFind ? await this.campaigns.list(tx, scope, filter, order, page) : [];
      return { campaigns, counts: statusCounts(found), total: canFind ? totalOf(found, filter) : 0 };
    });
  }

  /** Returns the referenced ids in their stored form. @throws DomainError template_not_found, segment_not_found. */
  private async resolveReferences(
    tx: Transaction,
    scope: TenantScope,
    { templateId, segmentId, abTest }: CampaignReferences,
  ): Promise<CampaignReferences> {
    const named = [templateId, ...(abTest ? templatesOf(abTest) : [])].filter((id) => typeof id === 'string');
    await this.templates.assertExist(tx, scope, named);
    return {
      ...(typeof templateId === 'string' ? { templateId: templateId.toLowerCase() } : {}),
      ...(abTest ? { abTest: withStoredIds(abTest) } : {}),
      ...(typeof segmentId === 'string' ? { segmentId: await this.segments.idOf(tx, scope, segmentId) } : {}),
    };
  }
}

/** The fields that refer to other records. */
type CampaignReferences = Pick<CampaignChange, 'templateId' | 'segmentId' | 'abTest'>;

function templatesOf({ variants }: AbTest): (string | null | undefined)[] {
  return variants.map(({ templateId }) => templateId);
}

function withStoredIds(test: AbTest): AbTest {
  const variants = test.variants.map((variant) => ({
    ...variant,
    templateId: variant.templateId?.toLowerCase() ?? null,
  }));
  return { ...test, variants };
}

function statusCounts(found: readonly StatusCount[]): CampaignCounts {
  const of = new Map(found.map(({ status, campaigns }) => [status, campaigns]));
  const counts = CAMPAIGN_STATUSES.map((status) => [status, of.get(status) ?? 0] as const);
  const all = found.reduce((sum, { campaigns }) => sum + campaigns, 0);
  return { all, ...Object.fromEntries(counts) } as CampaignCounts;
}

function totalOf(found: readonly StatusCount[], filter: CampaignFilter): number {
  return found
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .reduce((sum, each) => sum + each.found, 0);
}

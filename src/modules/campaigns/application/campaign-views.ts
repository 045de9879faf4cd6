/** Read views of campaigns: recipients, numbers, instances. Sections 2.9 and 4.5. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { NOTHING_MEASURED } from '../../metrics/domain/rates.js';
import { sendStartMs } from '../domain/ab-phases.js';
import { campaignMetrics, sumMetrics, type MeasuredCampaignMetrics } from '../domain/campaign-analytics.js';
import { ZERO_COUNTERS } from '../domain/campaign-counters.js';
import type { Campaign } from '../domain/campaign.js';
import type { CampaignInstance } from '../domain/instance.js';
import {
  messageStatuses,
  recipientStatus,
  type ListedRecipient,
  type RecipientStatus,
} from '../domain/recipient.js';
import { secondsLeft } from '../domain/progress.js';
import {
  CampaignInstanceRepository,
  type InstancePage,
} from '../persistence/campaign-instance.repository.js';
import { CampaignCounterRepository } from '../persistence/campaign-counter.repository.js';
import {
  CampaignViewsRepository,
  type RecipientPage,
  type RecipientCriteria,
  type RecipientRow,
} from '../persistence/campaign-views.repository.js';
import { MeasuredInstances } from './measured-instances.js';
import { StoredCampaigns } from './stored-campaigns.js';

export interface RecipientFilter {
  readonly status: RecipientStatus | null;
  /** The name of a variant. */
  readonly variant: string | null;
  readonly instanceId: string | null;
  readonly search: string | null;
}

/** The progress of a campaign's latest instance. */
export interface CampaignProgress extends Pick<Campaign, 'status' | 'pausedReason'> {
  readonly isAudienceTaken: boolean;
  readonly numbers: MeasuredCampaignMetrics;
  readonly perMinute: number | null;
  readonly secondsLeft: number | null;
}

export interface ListedInstance {
  readonly instance: CampaignInstance;
  readonly numbers: MeasuredCampaignMetrics;
}

@Injectable()
export class CampaignViews {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredCampaigns,
    private readonly instances: CampaignInstanceRepository,
    private readonly counters: CampaignCounterRepository,
    private readonly views: CampaignViewsRepository,
    private readonly measured: MeasuredInstances,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the statistics of a campaign, over all of its instances or for one.
   * @throws DomainError campaign_not_found, campaign_instance_not_found.
   */
  async analytics(
    scope: TenantScope,
    id: string,
    instanceId: string | null,
  ): Promise<MeasuredCampaignMetrics> {
    return this.database.listInScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      const instances = await this.selectInstances(tx, scope, campaign.id, instanceId);
      return sumMetrics((await this.withMetrics(tx, scope, instances)).map(({ numbers }) => numbers));
    });
  }

  /**
   * Returns the progress of a campaign's latest instance and its estimated completion. @throws DomainError
   * campaign_not_found.
   */
  async progress(scope: TenantScope, id: string): Promise<CampaignProgress> {
    return this.database.listInScope(scope, async (tx) => {
      const { id: campaignId, status, pausedReason } = await this.stored.find(tx, scope, id);
      const latest = await this.instances.latest(tx, scope, campaignId);
      const [measured] = await this.withMetrics(tx, scope, latest ? [latest] : []);
      if (!measured) {
        const none = { isAudienceTaken: false, numbers: sumMetrics([]), perMinute: null, secondsLeft: null };
        return { status, pausedReason, ...none };
      }
      const { instance, numbers } = measured;
      const startMs = sendStartMs(instance, instance.restFrom !== null);
      const { pending } = numbers;
      return {
        ...{
          status,
          pausedReason,
          numbers,
          isAudienceTaken: instance.isTaken,
          perMinute: instance.perMinute,
        },
        secondsLeft: secondsLeft(instance, { pending, startMs, now: this.clock.now() }),
      };
    });
  }

  /** Lists the instances of a campaign, newest first. @throws DomainError campaign_not_found. */
  async list(
    scope: TenantScope,
    id: string,
    page: InstancePage,
  ): Promise<{ readonly instances: readonly ListedInstance[]; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      const found = await this.instances.page(tx, scope, campaign.id, page);
      return { instances: await this.withMetrics(tx, scope, found), total: campaign.runs };
    });
  }

  /** Returns one instance. @throws DomainError campaign_not_found, campaign_instance_not_found. */
  async get(scope: TenantScope, id: string, instanceId: string): Promise<ListedInstance> {
    return this.database.listInScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      const [found] = await this.withMetrics(
        tx,
        scope,
        await this.selectInstances(tx, scope, campaign.id, instanceId),
      );
      if (!found) throw noInstance(instanceId);
      return found;
    });
  }

  /**
   * Returns a page of a campaign's recipients, in the order of its instances, and their total number.
   * @throws DomainError campaign_not_found, campaign_instance_not_found.
   */
  async recipients(
    scope: TenantScope,
    id: string,
    filter: RecipientFilter,
    page: RecipientPage,
  ): Promise<{ readonly recipients: readonly ListedRecipient[]; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => {
      const campaign = await this.stored.find(tx, scope, id);
      const instances = await this.selectInstances(tx, scope, campaign.id, filter.instanceId);
      if (instances.length === 0 || (filter.search !== null && !isStorableText(filter.search)))
        return { recipients: [], total: 0 };
      const byId = new Map(instances.map((instance) => [instance.id, instance]));
      const criteria = criteriaOf(instances, filter);
      if (!criteria) return { recipients: [], total: 0 };
      const rows = await this.views.recipients(tx, scope, criteria, page);
      return {
        recipients: rows.map((row) => recipientOf(row, byId.get(row.instanceId))),
        total: await this.total(tx, scope, instances, filter, criteria),
      };
    });
  }

  /** Known without counting rows, unless a filter needs more than the stored counters. */
  private async total(
    tx: Transaction,
    scope: TenantScope,
    instances: readonly CampaignInstance[],
    { status, variant, search }: RecipientFilter,
    criteria: RecipientCriteria,
  ): Promise<number> {
    if (variant !== null || search !== null) return this.views.count(tx, scope, criteria);
    const sum = sumMetrics((await this.withMetrics(tx, scope, instances)).map(({ numbers }) => numbers));
    return status === null ? sum.audience : sum[status];
  }

  private async selectInstances(
    tx: Transaction,
    scope: TenantScope,
    campaignId: string,
    instanceId: string | null,
  ): Promise<CampaignInstance[]> {
    if (instanceId === null) return this.instances.page(tx, scope, campaignId, { limit: null, offset: 0 });
    const found = isUuid(instanceId) ? await this.instances.find(tx, scope, instanceId) : undefined;
    if (found?.campaignId !== campaignId) throw noInstance(instanceId);
    return [found];
  }

  private async withMetrics(
    tx: Transaction,
    scope: TenantScope,
    instances: readonly CampaignInstance[],
  ): Promise<ListedInstance[]> {
    const ids = instances.map(({ id }) => id);
    const counters = await this.counters.totals(tx, scope, ids);
    const cancelled = instances.filter(({ status }) => status === 'cancelled').map(({ id }) => id);
    const inFlight = await this.views.inFlight(tx, scope, cancelled);
    const measured = await this.measured.counts(tx, scope, instances);
    return instances.map((instance, index) => ({
      instance,
      numbers: {
        ...campaignMetrics(
          instance,
          counters.get(instance.id) ?? ZERO_COUNTERS,
          inFlight.get(instance.id) ?? 0,
        ),
        ...(measured[index] ?? NOTHING_MEASURED),
      },
    }));
  }
}

/** Undefined if no recipient can match. Message statuses mean the same in all instances except cancelled ones. */
function criteriaOf(
  instances: readonly CampaignInstance[],
  { status, variant, search }: RecipientFilter,
): RecipientCriteria | undefined {
  const names = instances[0]?.content.variants.map(({ name }) => name) ?? [];
  const index = variant === null ? null : names.indexOf(variant);
  if (index === -1) return undefined;
  const groups = [true, false].map((isCancelled) => ({
    instanceIds: instances.filter((one) => (one.status === 'cancelled') === isCancelled).map(({ id }) => id),
    statuses: status === null ? null : messageStatuses(status, isCancelled),
    without: withoutMessage(status, isCancelled),
  }));
  return { groups, variant: index, search };
}

/** Which recipients without a message match the status. */
function withoutMessage(status: RecipientStatus | null, isCancelled: boolean): 'skipped' | 'waiting' | null {
  if (status === 'skipped') return 'skipped';
  return status === (isCancelled ? 'cancelled' : 'pending') ? 'waiting' : null;
}

function recipientOf(row: RecipientRow, instance: CampaignInstance | undefined): ListedRecipient {
  const isCancelled = instance?.status === 'cancelled';
  const status =
    row.skipped === null ? recipientStatus(row.status ?? 'queued', isCancelled) : ('skipped' as const);
  const variant = row.variant === null ? undefined : instance?.content.variants[row.variant];
  const reason = row.skipped ?? (status === 'failed' ? row.errorCode : row.suppressedReason);
  const { contactId, externalId, email, emailLogId, sentAt, deliveredAt, openedAt, clickedAt, bouncedAt } =
    row;
  return {
    ...{
      instanceId: row.instanceId,
      contactId,
      externalId,
      email,
      status,
      reason,
      variant: variant?.name ?? null,
      emailLogId,
    },
    ...{ sentAt, deliveredAt, openedAt, clickedAt, bouncedAt },
  };
}

function noInstance(id: string): DomainError {
  return new DomainError('campaign_instance_not_found', `The campaign has no instance with the ID ${id}.`);
}

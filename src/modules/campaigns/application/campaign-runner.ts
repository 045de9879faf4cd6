/**
 * Advances campaigns in short transactions: starts due campaigns, takes audiences, holds, releases and cancels
 * messages, and detects completion. All pending work is stored in rows, so a crash at any time loses nothing.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { SECOND } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { SegmentAudience } from '../../segments/application/segment-audience.js';
import { Batches } from '../../set-aside/application/batches.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { decidesAt, isTesting, mayHaveRest } from '../domain/ab-course.js';
import { besideInstance, whenOver } from '../domain/campaign-course.js';
import { afterPause, whenSent } from '../domain/campaign-pauses.js';
import { isUnderWay, type CampaignStatus } from '../domain/campaign-status.js';
import { pendingOf } from '../domain/campaign-tally.js';
import type { Campaign } from '../domain/campaign.js';
import type { CampaignInstance } from '../domain/instance.js';
import { paceAt } from '../domain/progress.js';
import { nextInstance } from '../domain/recurrence.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignRepository } from '../persistence/campaign.repository.js';
import { CampaignStandingRepository } from '../persistence/campaign-standing.repository.js';
import { CampaignTallyRepository } from '../persistence/campaign-tally.repository.js';
import { CampaignAbTests } from './campaign-ab-tests.js';
import { CampaignAudience, STRETCH, type AddressedStretch } from './campaign-audience.js';
import { CampaignBeginning } from './campaign-beginning.js';
import { CampaignNews } from './campaign-news.port.js';
import { CampaignSweeps } from './campaign-sweeps.js';
import { DueCampaigns } from './due-campaigns.js';

/** How long no other worker takes the chunk that a worker is planning. */
const LEASE = 10 * SECOND;
/** How soon a campaign under way is checked again: whether it is complete, and whether it may continue. */
const SOON = SECOND;
const LATER = 10 * SECOND;
/** A sending with at most this number of messages completes within moments. */
const FEW = 2_000;
const SIGNALS_AT_ONCE = 100;

/** An audience whose next chunks are planned outside the transactions that store them. */
interface Stretch {
  readonly campaignId: string;
  readonly instance: CampaignInstance;
}

@Injectable()
export class CampaignRunner {
  constructor(
    private readonly database: Database,
    private readonly campaigns: CampaignRepository,
    private readonly instances: CampaignInstanceRepository,
    private readonly tallies: CampaignTallyRepository,
    private readonly standings: CampaignStandingRepository,
    private readonly beginning: CampaignBeginning,
    private readonly abTests: CampaignAbTests,
    private readonly audience: CampaignAudience,
    private readonly segments: SegmentAudience,
    private readonly sweeps: CampaignSweeps,
    private readonly workspaces: WorkspaceService,
    private readonly news: CampaignNews,
    private readonly batches: Batches,
    private readonly queue: DueCampaigns,
    private readonly clock: Clock,
  ) {}

  /**
   * Does the tenant's due campaign work until none is left or `mayGoOn` returns false.
   * @returns whether there may be more to do now.
   */
  async goOn(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: 1, mayGoOn }, async (_limit, hold) => {
      await this.heedSignals(scope);
      const { looked, stretch } = await this.database.inScope(scope, async (tx) => {
        const campaign = await this.campaigns.due(tx, scope, this.clock.now());
        if (!campaign) return { looked: false, stretch: undefined };
        await hold([campaign.id]);
        return { looked: true, stretch: await this.look(tx, scope, campaign) };
      });
      if (stretch) await this.takeAudience(scope, stretch, mayGoOn);
      return { taken: looked ? 1 : 0, more: looked };
    });
  }

  /** Performs the next step of a locked campaign. Returns the audience chunk to take next, if any. */
  private async look(tx: Transaction, scope: TenantScope, campaign: Campaign): Promise<Stretch | undefined> {
    const now = this.clock.now();
    if (campaign.status === 'scheduled') {
      await this.campaigns.store(tx, scope, await this.beginScheduled(tx, scope, campaign, now));
      return undefined;
    }
    if (isDue(campaign, now)) {
      await this.campaigns.store(tx, scope, await this.beginNext(tx, scope, campaign, now));
      return undefined;
    }
    const underWay = await this.instances.underWay(tx, scope, campaign.id);
    const workspace = await this.workspaces.get(scope);
    if (workspace.status === 'suspended' && isUnderWay(campaign)) {
      await this.standings.signal(tx, scope, [campaign.id], 'workspace_suspended');
      await this.postpone(tx, scope, campaign, this.clock.afterRealTime(LATER));
      return undefined;
    }
    for (const instance of underWay) {
      if (instance.isTaken && (await this.audience.forgetAddresses(tx, scope, instance))) {
        await this.postpone(tx, scope, campaign, now);
        return undefined;
      }
      const isGoing = instance.status !== 'paused' && instance.completedAt === null;
      if (isGoing && instance.sweep === null && !instance.isTaken) {
        await this.postpone(tx, scope, campaign, this.clock.afterRealTime(LEASE));
        return { campaignId: campaign.id, instance };
      }
      const next = await this.stepOf(tx, scope, instance, isGoing, now);
      if (!next) continue;
      await this.instances.store(tx, scope, next);
      await this.postpone(tx, scope, besideInstance(campaign, next), now);
      return undefined;
    }
    await this.settle(tx, scope, campaign, underWay, now);
    return undefined;
  }

  /**
   * Performs the next step for an instance's messages and returns the instance; undefined if there is nothing to do.
   */
  private async stepOf(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    isGoing: boolean,
    now: Date,
  ): Promise<CampaignInstance | undefined> {
    if (instance.sweep !== null) return this.sweeps.goOn(tx, scope, instance, instance.sweep, now);
    if (!isGoing) return undefined;
    const endsAt = decidesAt(instance);
    if (endsAt !== null && endsAt <= now) return this.abTests.conclude(tx, scope, instance, now);
    if (!mayHaveRest(instance)) return undefined;
    return this.audience.giveWinner(tx, scope, instance, now);
  }

  /** Starts a scheduled campaign that is due. An obstacle to the start pauses it. */
  private async beginScheduled(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    now: Date,
  ): Promise<Campaign> {
    const { scheduledAt, abTest } = campaign;
    const status = abTest === null ? 'sending' : 'ab_testing';
    return this.begin(tx, scope, campaign, { status, scheduledAt }, now);
  }

  /** Starts the instance of a recurrence date that has passed: one instance, even if several dates have passed. */
  private async beginNext(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    now: Date,
  ): Promise<Campaign> {
    const { status, nextRunAt: scheduledAt, recurrence } = campaign;
    const begun = await this.begin(tx, scope, campaign, { status, scheduledAt }, now);
    if (begun.status === 'paused') return begun;
    return { ...begun, nextRunAt: recurrence && nextInstance(recurrence, now, begun.runs) };
  }

  private async begin(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    how: { readonly status: CampaignStatus; readonly scheduledAt: Date | null },
    now: Date,
  ): Promise<Campaign> {
    try {
      return await this.beginning.begin(tx, scope, campaign, how, now);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { id, name } = campaign;
      const detail = error.detail;
      await this.news.stopped(tx, scope, { id, name, reason: 'campaign_incomplete', detail }, now);
      const paused = { status: 'paused', pausedReason: 'campaign_incomplete' } as const;
      return { ...campaign, ...paused, lookAt: null, updatedAt: now };
    }
  }

  /** Completes the campaign if it is over; otherwise sets the time of the next check. */
  private async settle(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    underWay: readonly CampaignInstance[],
    now: Date,
  ): Promise<void> {
    let pending = 0;
    let isOver = true;
    let next: Date | null = null;
    for (const instance of underWay.filter(({ completedAt }) => completedAt === null)) {
      const left = pendingOf(instance.mailed, await this.tallies.ofInstance(tx, scope, instance.id));
      const pace = paceAt(instance, instance.mailed - left, now);
      if (pace !== instance) await this.instances.store(tx, scope, { ...instance, ...pace });
      if (isTesting(instance)) {
        // Does not wait for contacts that wait for the winner.
        pending += left - instance.rest;
        next = earlier(next, decidesAt(instance));
        isOver = false;
      } else if (left > 0 || instance.status === 'paused') {
        pending += Math.max(left, 1);
        isOver = false;
      } else await this.instances.store(tx, scope, whenSent(instance, now));
    }
    const { nextRunAt } = campaign;
    if (isOver && isUnderWay(campaign) && nextRunAt === null) {
      await this.campaigns.store(tx, scope, whenOver(campaign, now));
      return;
    }
    if (pending > 0) next = earlier(next, this.clock.afterRealTime(pending > FEW ? LATER : SOON));
    await this.postpone(tx, scope, campaign, isUnderWay(campaign) ? earlier(next, nextRunAt) : null);
  }

  /**
   * Takes an audience from its cursor, chunk by chunk; plans the next chunk while the current one is stored. Stops when
   * another worker continues it, the campaign does not continue, or `mayGoOn` returns false.
   */
  private async takeAudience(scope: TenantScope, begun: Stretch, mayGoOn: () => boolean): Promise<void> {
    const { campaignId } = begun;
    let { instance } = begun;
    let plan = await this.plan(scope, instance, []);
    for (;;) {
      const following = plan && { ...instance, ...plan.taken };
      const goesOn = following?.isTaken === false && mayGoOn();
      const next = goesOn ? this.plan(scope, following, plan?.addresses ?? []) : undefined;
      const [stored, planned] = await Promise.allSettled([
        this.storeStretch(scope, { campaignId, instance }, plan, goesOn),
        next,
      ]);
      if (stored.status === 'rejected') throw stored.reason;
      if (planned.status === 'rejected') throw planned.reason;
      if (!stored.value || !goesOn) return;
      [instance, plan] = [following, planned.value];
    }
  }

  /**
   * Plans an instance's next chunk; returns undefined if its segment is gone.
   * @param unstored as CampaignAudience.plan.
   */
  private async plan(
    scope: TenantScope,
    instance: CampaignInstance,
    unstored: readonly string[],
  ): Promise<AddressedStretch | undefined> {
    const { content, startedAt, takenTo: after } = instance;
    return this.database.inScope(scope, async (tx) => {
      const asked = { after, limit: STRETCH };
      const page = await this.segments.page(tx, scope, content.segmentId, asked, startedAt);
      return page && this.audience.plan(tx, scope, instance, { page, unstored }, this.clock.now());
    });
  }

  /**
   * Stores a chunk, unless another worker has, the campaign does not continue, or the inputs of the plan have changed.
   * @param goesOn whether this worker is already preparing the next chunk, so that no other worker needs to.
   * @returns whether it was stored.
   */
  private async storeStretch(
    scope: TenantScope,
    { campaignId, instance }: Stretch,
    plan: AddressedStretch | undefined,
    goesOn: boolean,
  ): Promise<boolean> {
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const campaign = await this.campaigns.find(tx, scope, campaignId, true);
      const present = campaign && (await this.instances.find(tx, scope, instance.id));
      if (!campaign || !present || !isAsPlanned(present, instance)) return false;
      if (!plan) {
        await this.standings.signal(tx, scope, [campaignId], 'campaign_incomplete');
        return false;
      }
      await this.audience.take(tx, scope, present, plan, now);
      const taken = { ...present, ...plan.taken };
      await this.instances.store(tx, scope, taken);
      const { status } = besideInstance(campaign, taken);
      const lookAt = goesOn ? this.clock.afterRealTime(LEASE) : now;
      await this.campaigns.store(tx, scope, { ...campaign, status, audienceSize: taken.audience, lookAt });
      return true;
    });
  }

  /** Pauses campaigns for which a signal was stored, such as a suspended workspace. */
  private async heedSignals(scope: TenantScope): Promise<void> {
    const signals = await this.database.inScope(scope, (tx) =>
      this.standings.signals(tx, scope, SIGNALS_AT_ONCE),
    );
    for (const signal of signals)
      await this.database.inScope(scope, async (tx) => {
        const now = this.clock.now();
        await this.standings.haveAlone(tx, signal.campaignId);
        const campaign = await this.campaigns.find(tx, scope, signal.campaignId, true);
        await this.standings.forget(tx, scope, signal);
        if (!campaign || !isUnderWay(campaign)) return;
        for (const instance of await this.instances.underWay(tx, scope, campaign.id))
          await this.instances.store(tx, scope, afterPause(instance, now));
        const paused = {
          status: 'paused',
          pausedReason: signal.reason,
          lookAt: now,
          updatedAt: now,
        } as const;
        await this.campaigns.store(tx, scope, { ...campaign, ...paused });
        const { id, name } = campaign;
        await this.news.stopped(tx, scope, { id, name, reason: signal.reason, detail: '' }, now);
      });
  }

  private async postpone(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    lookAt: Date | null,
  ): Promise<void> {
    await this.campaigns.store(tx, scope, { ...campaign, lookAt });
  }
}

/**
 * Whether an active instance is still at the cursor at which its next chunk was planned, and has not been paused since.
 */
function isAsPlanned(present: CampaignInstance, planned: CampaignInstance): boolean {
  const { isTaken, status, takenTo, delayedMs, mailed } = present;
  return (
    !isTaken &&
    status !== 'paused' &&
    takenTo === planned.takenTo &&
    delayedMs === planned.delayedMs &&
    mailed === planned.mailed
  );
}

/** Whether the next instance of a recurring campaign is due. */
function isDue({ status, nextRunAt }: Campaign, now: Date): boolean {
  return nextRunAt !== null && nextRunAt <= now && (status === 'recurring' || status === 'resumed');
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}

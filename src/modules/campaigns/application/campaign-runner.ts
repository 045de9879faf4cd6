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
import { Batches } from '../../dead-letters/application/batches.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { decidesAt, isTesting, mayHaveRest } from '../domain/ab-phases.js';
import {
  withInstanceStatus,
  afterLastInstance,
  afterPause,
  afterCompletion,
} from '../domain/instance-transitions.js';
import { isUnderWay } from '../domain/campaign-status.js';
import { pendingOf } from '../domain/campaign-counters.js';
import type { Campaign } from '../domain/campaign.js';
import type { CampaignInstance } from '../domain/instance.js';
import { paceAt } from '../domain/progress.js';
import { nextInstance } from '../domain/recurrence.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignRepository } from '../persistence/campaign.repository.js';
import { CampaignStateRepository } from '../persistence/campaign-state.repository.js';
import { CampaignCounterRepository } from '../persistence/campaign-counter.repository.js';
import { CampaignAbTests } from './campaign-ab-tests.js';
import { CampaignAudience, CHUNK_CONTACTS, type AddressedChunk } from './campaign-audience.js';
import { CampaignStarter, type InstanceStart } from './campaign-starter.js';
import { CampaignNotifications } from './campaign-notifications.port.js';
import { CampaignSweeps } from './campaign-sweeps.js';
import { DueCampaigns } from './due-campaigns.js';

/** How long no other worker takes the chunk that a worker is planning. */
const PLANNING_LEASE_MS = 10 * SECOND;
/** How soon a campaign under way is checked again: whether it is complete, and whether it may continue. */
const SHORT_CHECK_DELAY_MS = SECOND;
const LONG_CHECK_DELAY_MS = 10 * SECOND;
/** A sending with at most this number of messages completes within moments. */
const SMALL_SEND_MESSAGES = 2_000;
const SIGNAL_BATCH_SIZE = 100;

/** An audience whose next chunks are planned outside the transactions that store them. */
interface AudienceWork {
  readonly campaignId: string;
  readonly instance: CampaignInstance;
}

@Injectable()
export class CampaignRunner {
  constructor(
    private readonly database: Database,
    private readonly campaigns: CampaignRepository,
    private readonly instances: CampaignInstanceRepository,
    private readonly counters: CampaignCounterRepository,
    private readonly states: CampaignStateRepository,
    private readonly starter: CampaignStarter,
    private readonly abTests: CampaignAbTests,
    private readonly audience: CampaignAudience,
    private readonly segments: SegmentAudience,
    private readonly sweeps: CampaignSweeps,
    private readonly workspaces: WorkspaceService,
    private readonly notifications: CampaignNotifications,
    private readonly batches: Batches,
    private readonly queue: DueCampaigns,
    private readonly clock: Clock,
  ) {}

  /**
   * Does the tenant's due campaign work until none is left or `mayContinue` returns false.
   * @returns whether there may be more to do now.
   */
  async runDueCampaigns(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: 1, mayContinue }, async (_limit, claim) => {
      await this.handleSignals(scope);
      const { isFound, audienceWork } = await this.database.inScope(scope, async (tx) => {
        const campaign = await this.campaigns.due(tx, scope, this.clock.now());
        if (!campaign) return { isFound: false, audienceWork: undefined };
        await claim([campaign.id]);
        return { isFound: true, audienceWork: await this.advance(tx, scope, campaign) };
      });
      if (audienceWork) await this.takeAudience(scope, audienceWork, mayContinue);
      return { taken: isFound ? 1 : 0, more: isFound };
    });
  }

  /** Performs the next step of a locked campaign. Returns the audience chunk to take next, if any. */
  private async advance(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
  ): Promise<AudienceWork | undefined> {
    const now = this.clock.now();
    if (campaign.status === 'scheduled') {
      await this.campaigns.store(tx, scope, await this.startScheduled(tx, scope, campaign, now));
      return undefined;
    }
    if (isDue(campaign, now)) {
      await this.campaigns.store(tx, scope, await this.startNextInstance(tx, scope, campaign, now));
      return undefined;
    }
    const underWay = await this.instances.underWay(tx, scope, campaign.id);
    const workspace = await this.workspaces.get(scope);
    if (workspace.status === 'suspended' && isUnderWay(campaign)) {
      await this.states.signal(tx, scope, [campaign.id], 'workspace_suspended');
      await this.postpone(tx, scope, campaign, this.clock.afterRealTime(LONG_CHECK_DELAY_MS));
      return undefined;
    }
    for (const instance of underWay) {
      if (instance.isTaken && (await this.audience.deleteAddresses(tx, scope, instance))) {
        await this.postpone(tx, scope, campaign, now);
        return undefined;
      }
      const isActive = instance.status !== 'paused' && instance.completedAt === null;
      if (isActive && instance.sweep === null && !instance.isTaken) {
        await this.postpone(tx, scope, campaign, this.clock.afterRealTime(PLANNING_LEASE_MS));
        return { campaignId: campaign.id, instance };
      }
      const next = await this.runStep(tx, scope, instance, isActive, now);
      if (!next) continue;
      await this.instances.store(tx, scope, next);
      await this.postpone(tx, scope, withInstanceStatus(campaign, next), now);
      return undefined;
    }
    await this.completeOrReschedule(tx, scope, campaign, underWay, now);
    return undefined;
  }

  /**
   * Performs the next step for an instance's messages and returns the instance; undefined if there is nothing to do.
   */
  private async runStep(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
    isActive: boolean,
    now: Date,
  ): Promise<CampaignInstance | undefined> {
    if (instance.sweep !== null) return this.sweeps.runBatch(tx, scope, instance, instance.sweep, now);
    if (!isActive) return undefined;
    const endsAt = decidesAt(instance);
    if (endsAt !== null && endsAt <= now) return this.abTests.conclude(tx, scope, instance, now);
    if (!mayHaveRest(instance)) return undefined;
    return this.audience.sendWinnerToRest(tx, scope, instance, now);
  }

  /** Starts a scheduled campaign that is due. An obstacle to the start pauses it. */
  private async startScheduled(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    now: Date,
  ): Promise<Campaign> {
    const { scheduledAt, abTest } = campaign;
    const status = abTest === null ? 'sending' : 'ab_testing';
    return this.startOrPause(tx, scope, campaign, { status, scheduledAt }, now);
  }

  /** Starts the instance of a recurrence date that has passed: one instance, even if several dates have passed. */
  private async startNextInstance(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    now: Date,
  ): Promise<Campaign> {
    const { status, nextRunAt: scheduledAt, recurrence } = campaign;
    const started = await this.startOrPause(tx, scope, campaign, { status, scheduledAt }, now);
    if (started.status === 'paused') return started;
    return { ...started, nextRunAt: recurrence && nextInstance(recurrence, now, started.runs) };
  }

  private async startOrPause(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    start: InstanceStart,
    now: Date,
  ): Promise<Campaign> {
    try {
      return await this.starter.startIfReady(tx, scope, campaign, start, now);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { id, name } = campaign;
      const detail = error.detail;
      await this.notifications.notifyPaused(
        tx,
        scope,
        { id, name, reason: 'campaign_incomplete', detail },
        now,
      );
      const paused = { status: 'paused', pausedReason: 'campaign_incomplete' } as const;
      return { ...campaign, ...paused, lookAt: null, updatedAt: now };
    }
  }

  /** Completes the campaign if it is over; otherwise sets the time of the next check. */
  private async completeOrReschedule(
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
      const left = pendingOf(instance.mailed, await this.counters.ofInstance(tx, scope, instance.id));
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
      } else await this.instances.store(tx, scope, afterCompletion(instance, now));
    }
    const { nextRunAt } = campaign;
    if (isOver && isUnderWay(campaign) && nextRunAt === null) {
      await this.campaigns.store(tx, scope, afterLastInstance(campaign, now));
      return;
    }
    if (pending > 0)
      next = earlier(
        next,
        this.clock.afterRealTime(pending > SMALL_SEND_MESSAGES ? LONG_CHECK_DELAY_MS : SHORT_CHECK_DELAY_MS),
      );
    await this.postpone(tx, scope, campaign, isUnderWay(campaign) ? earlier(next, nextRunAt) : null);
  }

  /**
   * Takes an audience from its cursor, chunk by chunk; plans the next chunk while the current one is stored. Stops when
   * another worker continues it, the campaign does not continue, or `mayContinue` returns false.
   */
  private async takeAudience(
    scope: TenantScope,
    work: AudienceWork,
    mayContinue: () => boolean,
  ): Promise<void> {
    const { campaignId } = work;
    let { instance } = work;
    let plan = await this.plan(scope, instance, []);
    for (;;) {
      const following = plan && { ...instance, ...plan.progress };
      const hasNext = following?.isTaken === false && mayContinue();
      const next = hasNext ? this.plan(scope, following, plan?.addresses ?? []) : undefined;
      const [stored, planned] = await Promise.allSettled([
        this.storeChunk(scope, { campaignId, instance }, plan, hasNext),
        next,
      ]);
      if (stored.status === 'rejected') throw stored.reason;
      if (planned.status === 'rejected') throw planned.reason;
      if (!stored.value || !hasNext) return;
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
  ): Promise<AddressedChunk | undefined> {
    const { content, startedAt, takenTo: after } = instance;
    return this.database.inScope(scope, async (tx) => {
      const options = { after, limit: CHUNK_CONTACTS };
      const page = await this.segments.page(tx, scope, content.segmentId, options, startedAt);
      return page && this.audience.plan(tx, scope, instance, { page, unstored }, this.clock.now());
    });
  }

  /**
   * Stores a chunk, unless another worker has, the campaign does not continue, or the inputs of the plan have changed.
   * @param hasNext whether this worker is already preparing the next chunk, so that no other worker needs to.
   * @returns whether it was stored.
   */
  private async storeChunk(
    scope: TenantScope,
    { campaignId, instance }: AudienceWork,
    plan: AddressedChunk | undefined,
    hasNext: boolean,
  ): Promise<boolean> {
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const campaign = await this.campaigns.find(tx, scope, campaignId, true);
      const current = campaign && (await this.instances.find(tx, scope, instance.id));
      if (!campaign || !current || !isAsPlanned(current, instance)) return false;
      if (!plan) {
        await this.states.signal(tx, scope, [campaignId], 'campaign_incomplete');
        return false;
      }
      await this.audience.storeChunk(tx, scope, current, plan, now);
      const updated = { ...current, ...plan.progress };
      await this.instances.store(tx, scope, updated);
      const { status } = withInstanceStatus(campaign, updated);
      const checkAt = hasNext ? this.clock.afterRealTime(PLANNING_LEASE_MS) : now;
      await this.campaigns.store(tx, scope, {
        ...campaign,
        status,
        audienceSize: updated.audience,
        lookAt: checkAt,
      });
      return true;
    });
  }

  /** Pauses campaigns for which a signal was stored, such as a suspended workspace. */
  private async handleSignals(scope: TenantScope): Promise<void> {
    const signals = await this.database.inScope(scope, (tx) =>
      this.states.signals(tx, scope, SIGNAL_BATCH_SIZE),
    );
    for (const signal of signals)
      await this.database.inScope(scope, async (tx) => {
        const now = this.clock.now();
        await this.states.lockExclusively(tx, signal.campaignId);
        const campaign = await this.campaigns.find(tx, scope, signal.campaignId, true);
        await this.states.deleteSignal(tx, scope, signal);
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
        await this.notifications.notifyPaused(
          tx,
          scope,
          { id, name, reason: signal.reason, detail: '' },
          now,
        );
      });
  }

  private async postpone(
    tx: Transaction,
    scope: TenantScope,
    campaign: Campaign,
    checkAt: Date | null,
  ): Promise<void> {
    await this.campaigns.store(tx, scope, { ...campaign, lookAt: checkAt });
  }
}

/**
 * Whether an active instance is still at the cursor at which its next chunk was planned, and has not been paused since.
 */
function isAsPlanned(current: CampaignInstance, planned: CampaignInstance): boolean {
  const { isTaken, status, takenTo, delayedMs, mailed } = current;
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

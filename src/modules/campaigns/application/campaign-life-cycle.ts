/** Sends campaigns and stops them: sections 3.3 and 4.5. */
import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { Clock } from '../../../kernel/clock.js';
import { type Gated, type GateOptions, PreSendGate } from '../../inspect/application/pre-send-gate.js';
import { needsManualDecision, isTesting } from '../domain/ab-phases.js';
import { afterPause, afterResume, afterCancel } from '../domain/instance-transitions.js';
import { isUnderWay, type CampaignCall, type CampaignStatus, assertMove } from '../domain/campaign-status.js';
import type { Campaign, RequestedPace, RequestedSchedule } from '../domain/campaign.js';
import type { CampaignInstance } from '../domain/instance.js';
import { invalidMember } from '../domain/campaign-errors.js';
import { nextInstance, type Recurrence } from '../domain/recurrence.js';
import { MAX_UTC_LEAD_MS } from '../domain/send-moment.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignRepository } from '../persistence/campaign.repository.js';
import { CampaignStateRepository } from '../persistence/campaign-state.repository.js';
import { CampaignAbTests } from './campaign-ab-tests.js';
import { CampaignStarter } from './campaign-starter.js';
import { CampaignReadiness } from './campaign-readiness.js';
import { StoredCampaigns } from './stored-campaigns.js';

interface MoveOptions {
  /** Runs before the campaign is locked. */
  readonly before?: (tx: Transaction, campaignId: string) => Promise<void>;
  /** The next status of the campaign, which is locked now; defaults to the target status of the call. */
  readonly statusAfter?: (tx: Transaction, campaign: Campaign) => Promise<CampaignStatus>;
}

/** Returns the next state of a locked campaign; undefined, without having written anything, to change nothing. */
type NextState<Next extends Campaign | undefined> = (
  tx: Transaction,
  campaign: Campaign,
  status: CampaignStatus,
  now: Date,
) => Promise<Next>;

const UNSCHEDULED = { scheduledAt: null, scheduledOffset: null, localTime: false, maxPerHour: null } as const;

@Injectable()
export class CampaignLifeCycle {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredCampaigns,
    private readonly campaigns: CampaignRepository,
    private readonly instances: CampaignInstanceRepository,
    private readonly states: CampaignStateRepository,
    private readonly readiness: CampaignReadiness,
    private readonly starter: CampaignStarter,
    private readonly abTests: CampaignAbTests,
    private readonly gate: PreSendGate,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts sending immediately.
   * @param plan the workspace's plan.
   * @throws DomainError campaign_not_found, invalid_status, campaign_incomplete, template_errors, plan_limit_reached;
   *   inspection_blocked, service_unavailable as PreSendGate.guard.
   */
  async send(
    scope: TenantScope,
    plan: string,
    id: string,
    { pace, ...call }: GateOptions & { readonly pace: RequestedPace },
  ): Promise<Gated<Campaign>> {
    return this.gate.guard(scope, call, (maySend) =>
      this.move(scope, id, 'send', async (tx, campaign, status, now) => {
        const paced = { ...campaign, ...pace };
        const templates = await this.readiness.assertReady(tx, scope, paced);
        await this.readiness.assertMonthlyAllowance(tx, scope, plan);
        if (!(await maySend(tx, templates))) return undefined;
        return this.starter.startInstance(tx, scope, paced, { status, scheduledAt: null }, now);
      }),
    );
  }

  /**
   * Schedules the start of a campaign, or reschedules one that is already scheduled.
   * @throws DomainError as `send`; invalid_field for a time in the past.
   */
  async schedule(
    scope: TenantScope,
    plan: string,
    id: string,
    { schedule: { scheduledAt, ...pace }, ...call }: GateOptions & { readonly schedule: RequestedSchedule },
  ): Promise<Gated<Campaign>> {
    return this.gate.guard(scope, call, (maySend) =>
      this.move(scope, id, 'schedule', async (tx, campaign, status, now) => {
        if (scheduledAt <= now) throw invalidMember('scheduledAt', 'must be in the future');
        const scheduled = { ...campaign, ...pace, scheduledAt, status };
        const templates = await this.readiness.assertReady(tx, scope, scheduled);
        await this.readiness.assertMonthlyAllowance(tx, scope, plan);
        if (!(await maySend(tx, templates))) return undefined;
        const startMs = scheduledAt.getTime() - (pace.localTime ? MAX_UTC_LEAD_MS : 0);
        return { ...scheduled, lookAt: new Date(Math.max(startMs, now.getTime())), updatedAt: now };
      }),
    );
  }

  /**
   * Turns a scheduled campaign back into a draft, and clears its send time and pace.
   * @throws DomainError campaign_not_found, invalid_status.
   */
  async unschedule(scope: TenantScope, id: string): Promise<Campaign> {
    return this.move(scope, id, 'unschedule', async (_tx, campaign, status, now) =>
      Promise.resolve({ ...campaign, ...UNSCHEDULED, status, lookAt: null, updatedAt: now }),
    );
  }

  /**
   * Pauses sending. No message starts after this call returns; messages in flight complete.
   * @throws DomainError campaign_not_found, invalid_status.
   */
  async pause(scope: TenantScope, id: string): Promise<Campaign> {
    return this.moveExclusively(scope, id, 'pause', async (tx, campaign, _status, now) => {
      await this.updateUnderWay(tx, scope, campaign.id, (instance) => afterPause(instance, now));
      return { ...campaign, status: 'paused', pausedReason: null, lookAt: now, updatedAt: now };
    });
  }

  /**
   * Resumes a paused campaign where it stopped, or starts one that could not start.
   * @param plan the workspace's plan, whose monthly allowance must not be used up.
   * @throws DomainError campaign_not_found, invalid_status, plan_limit_reached; campaign_incomplete, template_errors,
   *   inspection_blocked for a campaign that could not start, or whose segment is gone.
   */
  async resume(scope: TenantScope, plan: string, id: string, call: GateOptions): Promise<Gated<Campaign>> {
    return this.gate.guard(scope, call, (maySend) =>
      this.moveExclusively(scope, id, 'resume', async (tx, campaign, status, now) => {
        await this.readiness.assertMonthlyAllowance(tx, scope, plan);
        const { runs, recurrence, scheduledAt } = campaign;
        const hasNotStarted = runs === 0 && !recurrence;
        const underWay = await this.instances.underWay(tx, scope, campaign.id);
        // A recurring campaign starts at its date, even if that is past. An instance that has started needs only its
        // segment.
        if (hasNotStarted || (recurrence && underWay.length === 0)) {
          const templates = await this.readiness.assertReady(tx, scope, campaign);
          if (!(await maySend(tx, templates))) return undefined;
        }
        await this.states.deleteSignals(tx, scope, campaign.id);
        if (hasNotStarted)
          return this.starter.startInstance(tx, scope, campaign, { status, scheduledAt }, now);
        for (const { isTaken, content } of underWay)
          if (!isTaken) await this.readiness.assertSegment(tx, scope, content.segmentId);
        await this.updateUnderWay(tx, scope, campaign.id, (instance) => afterResume(instance, now));
        return { ...campaign, status, pausedReason: null, lookAt: now, updatedAt: now };
      }),
    );
  }

  /**
   * Cancels the campaign. No message starts after this call returns, and all waiting messages are cancelled.
   * @throws DomainError campaign_not_found, invalid_status.
   */
  async cancel(scope: TenantScope, id: string): Promise<Campaign> {
    return this.moveExclusively(scope, id, 'cancel', async (tx, campaign, status, now) => {
      await this.states.deleteSignals(tx, scope, campaign.id);
      await this.updateUnderWay(tx, scope, campaign.id, (instance) => afterCancel(instance, now));
      const ended = { status, completedAt: now, nextRunAt: null, pausedReason: null };
      return { ...campaign, ...ended, lookAt: campaign.runs > 0 ? now : null, updatedAt: now };
    });
  }

  /**
   * Starts an instance at each date of a recurrence, from the next date on.
   * @throws DomainError as `send`; invalid_field if no date is left.
   */
  async scheduleRecurring(
    scope: TenantScope,
    plan: string,
    id: string,
    { recurrence, ...call }: GateOptions & { readonly recurrence: Recurrence },
  ): Promise<Gated<Campaign>> {
    return this.gate.guard(scope, call, (maySend) =>
      this.move(scope, id, 'schedule-recurring', async (tx, campaign, status, now) => {
        const nextRunAt = nextInstance(recurrence, now, 0);
        if (nextRunAt === null) throw noDateLeft();
        const templates = await this.readiness.assertReady(tx, scope, { ...campaign, recurrence });
        await this.readiness.assertMonthlyAllowance(tx, scope, plan);
        if (!(await maySend(tx, templates))) return undefined;
        return { ...campaign, recurrence, nextRunAt, status, lookAt: nextRunAt, updatedAt: now };
      }),
    );
  }

  /**
   * Stops starting new instances. An instance that has started continues.
   * @throws DomainError campaign_not_found, invalid_status.
   */
  async stopRecurring(scope: TenantScope, id: string): Promise<Campaign> {
    return this.move(scope, id, 'stop-recurring', async (_tx, campaign, status, now) =>
      Promise.resolve({ ...campaign, status, nextRunAt: null, lookAt: now, updatedAt: now }),
    );
  }

  /**
   * Resumes the recurrence at its next date. Missed dates are skipped.
   * @throws DomainError as `send`; invalid_field if no date is left.
   */
  async resumeRecurring(
    scope: TenantScope,
    plan: string,
    id: string,
    call: GateOptions,
  ): Promise<Gated<Campaign>> {
    return this.gate.guard(scope, call, (maySend) =>
      this.move(scope, id, 'resume-recurring', async (tx, campaign, status, now) => {
        const nextRunAt = campaign.recurrence && nextInstance(campaign.recurrence, now, campaign.runs);
        if (nextRunAt === null) throw noDateLeft();
        const templates = await this.readiness.assertReady(tx, scope, campaign);
        await this.readiness.assertMonthlyAllowance(tx, scope, plan);
        if (!(await maySend(tx, templates))) return undefined;
        return { ...campaign, status, nextRunAt, lookAt: now, updatedAt: now };
      }),
    );
  }

  /**
   * Decides a test before its end, or a test that is decided manually. The rest of the audience gets the named variant,
   * or the best so far. For a recurring campaign, it decides a test that the metrics could not decide.
   * @throws DomainError campaign_not_found, invalid_status; invalid_field for a name that no variant has.
   */
  async sendWinner(scope: TenantScope, id: string, variant: string | null): Promise<Campaign> {
    return this.move(
      scope,
      id,
      'ab-send-winner',
      async (tx, campaign, status, now) => {
        for (const instance of await this.instances.underWay(tx, scope, campaign.id))
          if (isTesting(instance) && (campaign.recurrence === null || needsManualDecision(instance))) {
            const decision = { decidedBy: 'manual', variant } as const;
            await this.instances.store(
              tx,
              scope,
              await this.abTests.decide(tx, scope, instance, decision, now),
            );
          }
        return { ...campaign, status, lookAt: now, updatedAt: now };
      },
      {
        statusAfter: async (tx, campaign) => {
          const needsDecision =
            campaign.recurrence !== null &&
            isUnderWay(campaign) &&
            (await this.instances.underWay(tx, scope, campaign.id)).some(needsManualDecision);
          return needsDecision ? campaign.status : assertMove('ab-send-winner', campaign);
        },
      },
    );
  }

  private async updateUnderWay(
    tx: Transaction,
    scope: TenantScope,
    campaignId: string,
    next: (instance: CampaignInstance) => CampaignInstance,
  ): Promise<void> {
    for (const instance of await this.instances.underWay(tx, scope, campaignId))
      await this.instances.store(tx, scope, next(instance));
  }

  /**
   * As `move`, under the campaign's exclusive lock: senders that were claiming its messages have finished by then, and
   * no others can claim any.
   */
  private async moveExclusively<Next extends Campaign | undefined>(
    scope: TenantScope,
    id: string,
    call: CampaignCall,
    next: NextState<Next>,
  ): Promise<Next> {
    return this.move(scope, id, call, next, {
      before: (tx, campaignId) => this.states.lockExclusively(tx, campaignId),
    });
  }

  private async move<Next extends Campaign | undefined>(
    scope: TenantScope,
    id: string,
    call: CampaignCall,
    next: NextState<Next>,
    { before, statusAfter }: MoveOptions = {},
  ): Promise<Next> {
    return this.database.inScope(scope, async (tx) => {
      const { id: campaignId } = await this.stored.find(tx, scope, id);
      await before?.(tx, campaignId);
      const campaign = await this.stored.find(tx, scope, campaignId, true);
      const status = statusAfter ? await statusAfter(tx, campaign) : assertMove(call, campaign);
      const after = await next(tx, campaign, status, this.clock.now());
      if (after) {
        await this.campaigns.store(tx, scope, after);
        tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.campaigns, scope));
      }
      return after;
    });
  }
}

function noDateLeft(): DomainError {
  return invalidMember('endsAt', 'leaves no date to send on');
}

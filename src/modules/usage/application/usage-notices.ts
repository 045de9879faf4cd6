/**
 * Notifies the owner and the admins by email when most or all of a cap is used. Each combination of period, cap and
 * threshold is announced once, however many processes check, because the notice is a row of the transaction that queues
 * the emails. If both thresholds are reached together, only the higher one is announced.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { planOf } from '../../limits/domain/plan.js';
import { Notices } from '../../notices/application/notices.js';
import type { UsageNotice } from '../../notices/domain/notice.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { NOTICE_RETENTION_MS, thresholdOf, type Period } from '../domain/usage.js';
import { UsageNoticeRepository, type AnnouncedUsage } from '../persistence/usage-notice.repository.js';
import { UsedLimits } from './used-limits.js';

@Injectable()
export class UsageNotices {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceService,
    private readonly usedLimits: UsedLimits,
    private readonly announced: UsageNoticeRepository,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** Announces the thresholds that the tenant has reached and that are not announced yet. */
  async announce(scope: TenantScope): Promise<void> {
    const workspace = await this.workspaces.find(scope);
    if (!workspace) return;
    const plan = planOf(workspace.plan);
    const now = this.clock.now();
    await this.database.inScope(scope, async (tx) => {
      const { period, limits } = await this.usedLimits.ofTenant(tx, scope, plan, now);
      for (const { limitType, current, maximum } of limits) {
        const threshold = thresholdOf({ current, maximum });
        if (threshold === undefined) continue;
        const usage = { limitType, current, maximum, threshold };
        if (await this.announced.add(tx, scope, usage, period.start, now))
          await this.mail(tx, scope, { usage, plan: plan.name, period }, now);
      }
      await this.announced.deleteBefore(tx, scope, new Date(now.getTime() - NOTICE_RETENTION_MS));
    });
  }

  private async mail(
    tx: Transaction,
    scope: TenantScope,
    {
      usage,
      plan,
      period,
    }: { readonly usage: AnnouncedUsage; readonly plan: string; readonly period: Period },
    now: Date,
  ): Promise<void> {
    const { workspaceId, environment } = scope;
    const { limitType, maximum, threshold } = usage;
    const key = [environment, limitType, period.start.toISOString(), maximum, threshold].join(':');
    await this.notices.notifyManagers<UsageNotice>(
      tx,
      scope,
      {
        purpose: `usage:${key}`,
        subjectId: workspaceId,
        notice: { kind: 'usage', environment, plan, ...usage, periodEnd: period.end.toISOString() },
      },
      now,
    );
  }
}

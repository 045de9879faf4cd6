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
import { NOTICES_KEPT, thresholdOf, type Period } from '../domain/usage.js';
import { UsageNoticeRepository, type ToldUsage } from '../persistence/usage-notice.repository.js';
import { UsedLimits } from './used-limits.js';

@Injectable()
export class UsageNotices {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceService,
    private readonly used: UsedLimits,
    private readonly told: UsageNoticeRepository,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** Announces the thresholds that the tenant has reached and that are not announced yet. */
  async tell(scope: TenantScope): Promise<void> {
    const workspace = await this.workspaces.find(scope);
    if (!workspace) return;
    const plan = planOf(workspace.plan);
    const now = this.clock.now();
    await this.database.inScope(scope, async (tx) => {
      const { period, limits } = await this.used.ofTenant(tx, scope, plan, now);
      for (const { limitType, current, maximum } of limits) {
        const threshold = thresholdOf({ current, maximum });
        if (threshold === undefined) continue;
        const told = { limitType, current, maximum, threshold };
        if (await this.told.add(tx, scope, told, period.start, now))
          await this.mail(tx, scope, { told, plan: plan.name, period }, now);
      }
      await this.told.forget(tx, scope, new Date(now.getTime() - NOTICES_KEPT));
    });
  }

  private async mail(
    tx: Transaction,
    scope: TenantScope,
    { told, plan, period }: { readonly told: ToldUsage; readonly plan: string; readonly period: Period },
    now: Date,
  ): Promise<void> {
    const { workspaceId, environment } = scope;
    const { limitType, maximum, threshold } = told;
    const key = [environment, limitType, period.start.toISOString(), maximum, threshold].join(':');
    await this.notices.tellManagers<UsageNotice>(
      tx,
      scope,
      {
        purpose: `usage:${key}`,
        subjectId: workspaceId,
        notice: { kind: 'usage', environment, plan, ...told, periodEnd: period.end.toISOString() },
      },
      now,
    );
  }
}

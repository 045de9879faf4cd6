/** Shows members how much of their plan is used. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { planOf, type Plan } from '../../limits/domain/plan.js';
import { periodOf, type Period, type UsedLimit } from '../domain/usage.js';
import { UsageNoticeRepository, type StoredUsageNotice } from '../persistence/usage-notice.repository.js';
import { UsedLimits } from './used-limits.js';

/** Per environment, in the current period. */
const MAX_NOTICES = 50;

export interface UsageOverview {
  readonly plan: Plan;
  readonly period: Period;
  readonly limits: readonly UsedLimit[];
  /** The notices of the period, the latest first. */
  readonly notices: readonly StoredUsageNotice[];
}

@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly usedLimits: UsedLimits,
    private readonly announced: UsageNoticeRepository,
    private readonly clock: Clock,
  ) {}

  /** Usage of both environments. @param planName the workspace's plan. */
  async overview(workspace: WorkspaceScope, planName: string): Promise<UsageOverview> {
    const plan = planOf(planName);
    const now = this.clock.now();
    const scope = { workspaceId: workspace.workspaceId };
    return this.database.listInScope(scope, async (tx) => {
      const limits: UsedLimit[] = [];
      const notices: StoredUsageNotice[] = [];
      let period = periodOf(now, null);
      await inEachEnvironment(tx, scope, async (tenant) => {
        const ofTenant = await this.usedLimits.ofTenant(tx, tenant, plan, now);
        limits.push(...ofTenant.limits);
        notices.push(...(await this.announced.since(tx, tenant, ofTenant.period.start, MAX_NOTICES)));
        // A renewal applies to both environments.
        if (ofTenant.period.start > period.start) ({ period } = ofTenant);
      });
      limits.push(...(await this.usedLimits.ofWorkspace(tx, scope, plan)));
      notices.sort((one, other) => other.at.getTime() - one.at.getTime());
      return { plan, period, limits, notices };
    });
  }
}

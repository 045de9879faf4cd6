/** Notifies members of their plan's usage. */
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../kernel/duration.js';
import { Database } from '../../../platform/database/database.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { dueWork, TenantPoller, type DueTenantsQuery, type DueWork } from '../../../platform/queue/poller.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { monthOf, PLAN_NAMES, PLANS } from '../../limits/domain/plan.js';
import { NoticesModule } from '../../notices/notices.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { UsageNotices } from '../application/usage-notices.js';
import { ANNOUNCED_LIMITS, THRESHOLDS } from '../domain/usage.js';
import { UsageNoticeRepository } from '../persistence/usage-notice.repository.js';
import { UsageModule } from '../usage.module.js';

/** Maximum tenants per poll; the next poll finds the others. */
const MAX_TENANTS = 500;

/**
 * Milliseconds of the product's clock between polls. MIN_POLL_INTERVAL_MS is the minimum in real time, however fast
 * that clock runs.
 */
const POLL_INTERVAL_MS = MINUTE;
const MIN_POLL_INTERVAL_MS = 1_000;

/** An unknown plan has the caps of the free one. Unlimited caps are not in the list. */
const OVER_THRESHOLD = `
WITH caps AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) AS c(plan, limit_type, maximum)),
renewals AS (SELECT workspace_id, environment, reset_at FROM monthly_emails WHERE month = $1 AND reset_at IS NOT NULL),
used AS (
  SELECT workspace_id, environment, 'emails' AS limit_type, used AS current FROM monthly_emails WHERE month = $1
  UNION ALL
  SELECT workspace_id, environment, 'events', events FROM monthly_usage WHERE month = $1
  UNION ALL
  SELECT workspace_id, environment, 'contacts', contacts FROM contact_counts),
reached AS (
  SELECT u.*, c.maximum, greatest($1::date::timestamp AT TIME ZONE 'UTC', r.reset_at) AS since,
    (SELECT max(threshold) FROM unnest($5::int[]) AS t(threshold) WHERE u.current * 100 >= c.maximum * t.threshold) AS threshold
  FROM used u JOIN workspaces w ON w.id = u.workspace_id AND w.deletion_at IS NULL
  JOIN caps c ON c.limit_type = u.limit_type AND c.plan = CASE WHEN w.plan = ANY ($6::text[]) THEN w.plan ELSE 'free' END
  LEFT JOIN renewals r ON r.workspace_id = u.workspace_id AND r.environment = u.environment)
SELECT DISTINCT workspace_id, environment, $7::timestamptz AS due_at FROM reached u
WHERE threshold IS NOT NULL AND NOT EXISTS (
  SELECT FROM usage_notices n WHERE n.workspace_id = u.workspace_id AND n.environment = u.environment
    AND n.limit_type = u.limit_type AND n.since = u.since AND n.maximum = u.maximum AND n.threshold >= u.threshold)
LIMIT ${MAX_TENANTS}`;

const CAPS = PLAN_NAMES.flatMap((plan) =>
  ANNOUNCED_LIMITS.map((limitType) => ({ plan, limitType, maximum: PLANS[plan].caps[limitType] })),
).filter(({ maximum }) => Number.isFinite(maximum));

/**
 * Tenants that have reached a threshold that is not announced yet. One statement over the month's counters, so that
 * counting code needs no extra work.
 */
export const TENANTS_OVER_THRESHOLD: DueTenantsQuery = {
  sql: OVER_THRESHOLD,
  values: (now) => [
    monthOf(now),
    CAPS.map(({ plan }) => plan),
    CAPS.map(({ limitType }) => limitType),
    CAPS.map(({ maximum }) => maximum),
    THRESHOLDS,
    PLAN_NAMES,
    now,
  ],
};

/** Polls once a minute, over all tenants. */
@Injectable()
class UsagePoller extends TenantPoller {
  private nextPollAt = new Date(0);
  private lastPolledAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    super(WAKE_UPS.usage, TENANTS_OVER_THRESHOLD, database);
  }

  override async findDue(now: Date): Promise<DueWork> {
    const real = performance.now();
    if (now < this.nextPollAt) return { ...dueWork([], now), next: this.nextPollAt };
    // The sweeper polls again within a second.
    if (real - this.lastPolledAt < MIN_POLL_INTERVAL_MS) return dueWork([], now);
    const work = await super.findDue(now);
    this.nextPollAt = new Date(now.getTime() + POLL_INTERVAL_MS);
    this.lastPolledAt = real;
    return { ...work, next: this.nextPollAt };
  }
}

export const WORK = defineWork({
  wakeUp: WAKE_UPS.usage,
  imports: [NoticesModule, UsageModule, WorkspacesModule],
  providers: [UsageNoticeRepository, UsageNotices],
  dueTenants: UsagePoller,
  process: {
    with: UsageNotices,
    run: async (notices, scope) => {
      await notices.announce(scope);
      return false;
    },
  },
});

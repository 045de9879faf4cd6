/**
 * Finds tenants that have reached a threshold that is not announced yet, across tenants with the dispatcher's role. One
 * statement over the month's counters, so that counting code needs no extra work.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/poller.js';
import { monthOf } from '../../limits/domain/month.js';
import { PLAN_NAMES, PLANS } from '../../limits/domain/plan.js';
import { THRESHOLDS, ANNOUNCED_LIMITS } from '../domain/usage.js';

/** Maximum tenants per poll; the next poll finds the others. */
const MAX_TENANTS = 500;

/** An unknown plan has the caps of the free one. Unlimited caps are not in the list. */
const TENANTS_OVER_THRESHOLD = `
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

@Injectable()
export class TenantsOverThresholdRepository {
  constructor(private readonly database: Database) {}

  async list(now: Date): Promise<DueTenant[]> {
    const caps = PLAN_NAMES.flatMap((plan) =>
      ANNOUNCED_LIMITS.map((limitType) => ({ plan, limitType, maximum: PLANS[plan].caps[limitType] })),
    ).filter(({ maximum }) => Number.isFinite(maximum));
    return this.database.acrossTenants<DueTenant>(TENANTS_OVER_THRESHOLD, [
      monthOf(now),
      caps.map(({ plan }) => plan),
      caps.map(({ limitType }) => limitType),
      caps.map(({ maximum }) => maximum),
      THRESHOLDS,
      PLAN_NAMES,
      now,
    ]);
  }
}

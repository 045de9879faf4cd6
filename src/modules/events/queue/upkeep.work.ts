/** Deletes events that their plan no longer retains, and expired idempotency keys. */
import { defineWork } from '../../../platform/queue/define-work.js';
import type { DueTenantsQuery } from '../../../platform/queue/poller.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { PLANS, GRACE_DAYS } from '../../limits/domain/plan.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { RetentionService } from '../application/retention.service.js';
import { EventsModule } from '../events.module.js';
import { EventRepository } from '../persistence/event.repository.js';

/** How long expired rows may wait, so that they are deleted in batches and not one by one. */
const DELETION_SLACK = '1 hour';

/** Days that exceed every grace period. */
const UNLIMITED_DAYS = 36_500;

/** For an unknown plan, the retention of the free plan applies. */
const daysOf = (days: string): string =>
  `coalesce(${days}, (SELECT days FROM retention WHERE plan = 'free'))`;

/** Whether a row of `e` is not a dead letter. */
const notDeadLetter = (eventId: string): string => `NOT EXISTS (SELECT FROM set_aside_work s
  WHERE s.workspace_id = e.workspace_id AND s.kind = 'retention' AND s.subject_id = ${eventId})`;

/**
 * Steps from tenant to tenant along the indexes, as for pending events. The age of an event comes from its UUIDv7.
 * Former plans apply as in limits/domain/retention: events that only they retain are due when that retention or the
 * grace period ends.
 */
const OLDEST = `
WITH RECURSIVE oldest AS (
  (SELECT workspace_id, environment, id FROM events e WHERE processed_at IS NOT NULL AND ${notDeadLetter('e.id')}
   ORDER BY workspace_id, id LIMIT 1)
  UNION ALL
  SELECT next.* FROM oldest, LATERAL (
    SELECT e.workspace_id, e.environment, e.id FROM events e
    WHERE e.workspace_id > oldest.workspace_id AND e.processed_at IS NOT NULL AND ${notDeadLetter('e.id')}
    ORDER BY e.workspace_id, e.id LIMIT 1) AS next
), expiring AS (
  (SELECT workspace_id, environment, expires_at FROM idempotency_keys e WHERE ${notDeadLetter('e.event_id')}
   ORDER BY workspace_id, expires_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM expiring, LATERAL (
    SELECT e.workspace_id, e.environment, e.expires_at FROM idempotency_keys e
    WHERE e.workspace_id > expiring.workspace_id AND ${notDeadLetter('e.event_id')}
    ORDER BY e.workspace_id, e.expires_at LIMIT 1) AS next
), retention AS (SELECT * FROM unnest($1::text[], $2::int[]) AS r(plan, days))
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  SELECT o.workspace_id, o.environment, greatest(
      o.received_at + make_interval(days => ${daysOf('r.days')}),
      least(o.received_at + make_interval(days => f.days), w.plan_changed_at + interval '${GRACE_DAYS} days')) + interval '${DELETION_SLACK}' AS due_at
  FROM (SELECT *, to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) AS received_at FROM oldest) AS o
  JOIN workspaces w ON w.id = o.workspace_id LEFT JOIN retention r ON r.plan = w.plan
  LEFT JOIN LATERAL (
    SELECT CASE WHEN bool_or(p.plan = ANY ($3::text[])) THEN ${UNLIMITED_DAYS} ELSE max(${daysOf('k.days')}) END AS days
    FROM unnest(w.former_plans) AS p(plan) LEFT JOIN retention k ON k.plan = p.plan) AS f ON true
  WHERE w.plan <> ALL ($3::text[])
  UNION ALL
  SELECT workspace_id, environment, expires_at + interval '${DELETION_SLACK}' FROM expiring) AS due
GROUP BY workspace_id, environment`;

const plans = Object.values(PLANS);
const limited = plans.filter(({ retentionDays }) => Number.isFinite(retentionDays));
const unlimited = plans.filter(({ retentionDays }) => !Number.isFinite(retentionDays));

/** Each tenant with the time at which its oldest row is to be deleted. */
const EXPIRING_TENANTS: DueTenantsQuery = {
  sql: OLDEST,
  values: () => [
    limited.map(({ name }) => name),
    limited.map(({ retentionDays }) => retentionDays),
    unlimited.map(({ name }) => name),
  ],
};

export const WORK = defineWork({
  wakeUp: WAKE_UPS.upkeep,
  imports: [EventsModule, WorkspacesModule],
  providers: [EventRepository, RetentionService],
  concurrency: 1,
  dueTenants: EXPIRING_TENANTS,
  process: {
    with: RetentionService,
    run: (retention, scope, mayContinue) => retention.deleteExpired(scope, mayContinue),
  },
});

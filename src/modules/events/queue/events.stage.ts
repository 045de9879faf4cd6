/** Finds the tenants that have events which nobody has processed yet. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { EVENTS_BELL } from './events.jobs.js';

@Injectable()
export class EventsStage implements Stage {
  readonly bell = EVENTS_BELL;

  constructor(private readonly database: Database) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.database.acrossTenants(PENDING_TENANTS, [now]), now);
  }
}

/**
 * Steps from tenant to tenant along the index of pending events, so that a long backlog costs no more than a short
 * one. The moment is the one that stands in the oldest event's UUIDv7, and at most the present.
 */
const PENDING_TENANTS = `
WITH RECURSIVE tenant AS (
  (SELECT workspace_id, environment, id FROM events WHERE processed_at IS NULL
   ORDER BY workspace_id, environment, id LIMIT 1)
  UNION ALL
  SELECT next.* FROM tenant, LATERAL (
    SELECT e.workspace_id, e.environment, e.id FROM events e
    WHERE e.processed_at IS NULL AND (e.workspace_id, e.environment) > (tenant.workspace_id, tenant.environment)
    ORDER BY e.workspace_id, e.environment, e.id LIMIT 1) AS next
)
SELECT workspace_id, environment,
  least($1::timestamptz, to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)) AS due_at
FROM tenant`;

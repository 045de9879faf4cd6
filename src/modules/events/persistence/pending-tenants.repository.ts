/** Which tenants have events that nobody has processed yet, seen across tenants with the dispatcher's eyes. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

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

@Injectable()
export class PendingTenantsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the moment of its oldest event, which is past. */
  async list(now: Date): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(PENDING_TENANTS, [now]);
  }
}

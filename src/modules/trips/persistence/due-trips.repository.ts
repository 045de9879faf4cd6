/**
 * Which tenants have trips that wait for their moment, or something to be done to many of them, seen across tenants with
 * the dispatcher's eyes.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Each tenant's earliest trip: steps from tenant to tenant along the index, whatever the number of parked trips. */
const WAITING_TENANTS = `
WITH RECURSIVE tenant AS (
  (SELECT workspace_id, environment, resume_at FROM trips WHERE resume_at IS NOT NULL
   ORDER BY workspace_id, environment, resume_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM tenant, LATERAL (
    SELECT t.workspace_id, t.environment, t.resume_at FROM trips t
    WHERE t.resume_at IS NOT NULL AND (t.workspace_id, t.environment) > (tenant.workspace_id, tenant.environment)
    ORDER BY t.workspace_id, t.environment, t.resume_at LIMIT 1) AS next
)
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  SELECT workspace_id, environment, resume_at AS due_at FROM tenant
  UNION ALL
  SELECT workspace_id, environment, due_at FROM trip_sweeps) AS waiting
GROUP BY workspace_id, environment`;

@Injectable()
export class DueTripsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the moment of its earliest trip or sweep. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(WAITING_TENANTS);
  }
}

/** Finds the tenants whose trips are due, and when the next one will be. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { TRIPS_BELL } from './trips.jobs.js';

@Injectable()
export class TripsStage implements Stage {
  readonly bell = TRIPS_BELL;

  constructor(private readonly database: Database) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.database.acrossTenants(WAITING_TENANTS), now);
  }
}

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
SELECT workspace_id, environment, resume_at AS due_at FROM tenant`;

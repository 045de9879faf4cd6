/** Finds each tenant's earliest trip or sweep, due or not. Reads across tenants with the dispatcher's role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

/** Each tenant's earliest trip; the cost does not depend on the number of parked trips. */
const WAITING_TENANTS = `
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  (${earliestOfTenants('FROM trips WHERE resume_at IS NOT NULL', 'resume_at')})
  UNION ALL
  SELECT workspace_id, environment, due_at FROM trip_sweeps) AS waiting
GROUP BY workspace_id, environment`;

@Injectable()
export class DueTripsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the time of its earliest trip or sweep. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(WAITING_TENANTS);
  }
}

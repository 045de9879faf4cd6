/** Finds tenants with touched contacts or due segment refreshes, across tenants with the dispatcher's role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

const EARLIEST = `
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  (${earliestOfTenants('FROM segment_touches WHERE touched_at IS NOT NULL', 'touched_at')})
  UNION ALL
  (${earliestOfTenants('FROM segment_refreshes WHERE refresh_at IS NOT NULL', 'refresh_at')})) AS due
GROUP BY workspace_id, environment`;

@Injectable()
export class DueSegmentsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the time of its earliest touch or refresh. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST);
  }
}

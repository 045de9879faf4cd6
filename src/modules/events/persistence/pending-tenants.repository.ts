/** Lists tenants with events that were not processed yet, across tenants, with the dispatcher's role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

/** The time comes from the oldest event's UUIDv7, limited to the current time. */
const PENDING_TENANTS = `
SELECT workspace_id, environment,
  least($1::timestamptz, to_timestamp(('x' || translate(left(due_at::text, 13), '-', ''))::bit(48)::bigint / 1000.0)) AS due_at
FROM (${earliestOfTenants('FROM events WHERE processed_at IS NULL', 'id')}) AS oldest`;

@Injectable()
export class PendingTenantsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the time of its oldest event, which is in the past. */
  async list(now: Date): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(PENDING_TENANTS, [now]);
  }
}

/** Finds the tenants with due campaigns, across tenants and with the role of the dispatcher. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

/** Each tenant's earliest due time, however many campaigns wait. */
const DUE = `
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  (${earliestOfTenants('FROM campaigns WHERE look_at IS NOT NULL', 'look_at')})
  UNION ALL
  SELECT workspace_id, environment, $1::timestamptz FROM campaign_signals) AS d
GROUP BY workspace_id, environment`;

@Injectable()
export class DueCampaignsRepository {
  constructor(private readonly database: Database) {}

  /** Returns each tenant with its earliest due time. */
  async list(now: Date): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(DUE, [now]);
  }
}

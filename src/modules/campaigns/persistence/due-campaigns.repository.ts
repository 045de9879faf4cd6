/** Which tenants have campaigns to look at, seen across tenants with the dispatcher's eyes. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Each tenant's earliest look: steps from tenant to tenant along the index, however many campaigns wait for their moment. */
const DUE = `
WITH RECURSIVE tenant AS (
  (SELECT workspace_id, environment, look_at FROM campaigns WHERE look_at IS NOT NULL
   ORDER BY workspace_id, environment, look_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM tenant, LATERAL (
    SELECT c.workspace_id, c.environment, c.look_at FROM campaigns c
    WHERE c.look_at IS NOT NULL AND (c.workspace_id, c.environment) > (tenant.workspace_id, tenant.environment)
    ORDER BY c.workspace_id, c.environment, c.look_at LIMIT 1) AS next
)
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  SELECT workspace_id, environment, look_at AS due_at FROM tenant
  UNION ALL
  SELECT workspace_id, environment, $1::timestamptz FROM campaign_signals) AS d
GROUP BY workspace_id, environment`;

@Injectable()
export class DueCampaignsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the moment of its earliest look. */
  async list(now: Date): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(DUE, [now]);
  }
}

/** Which tenants have words of messages to be worked on or to be forgotten, seen across tenants with the dispatcher's eyes. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Steps from tenant to tenant along the index of what is due. */
const DUE_FEEDBACK = `
WITH RECURSIVE tenant AS (
  (SELECT workspace_id, environment, due_at FROM feedback WHERE due_at IS NOT NULL
   ORDER BY workspace_id, environment, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM tenant, LATERAL (
    SELECT f.workspace_id, f.environment, f.due_at FROM feedback f
    WHERE f.due_at IS NOT NULL AND (f.workspace_id, f.environment) > (tenant.workspace_id, tenant.environment)
    ORDER BY f.workspace_id, f.environment, f.due_at LIMIT 1) AS next
)
SELECT workspace_id, environment, due_at FROM tenant`;

@Injectable()
export class DueFeedbackRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the moment of its earliest word, past or future. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(DUE_FEEDBACK);
  }
}

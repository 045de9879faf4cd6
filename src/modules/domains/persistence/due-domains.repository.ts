/** Which tenants have domains whose records are to be looked at, seen across tenants with the dispatcher's eyes. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Steps from workspace to workspace along the index. The environment is that of `domainScope`. */
const EARLIEST = `
WITH RECURSIVE due AS (
  (SELECT workspace_id, check_at FROM sending_domains WHERE check_at IS NOT NULL
   ORDER BY workspace_id, check_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM due AS last, LATERAL (
    SELECT d.workspace_id, d.check_at FROM sending_domains d
    WHERE d.workspace_id > last.workspace_id AND d.check_at IS NOT NULL
    ORDER BY d.workspace_id, d.check_at LIMIT 1) AS next)
SELECT workspace_id, 'live' AS environment, check_at AS due_at FROM due`;

@Injectable()
export class DueDomainsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the moment of its earliest look. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST);
  }
}

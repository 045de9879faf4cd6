/** Finds tenants that have domains with due checks. Reads across tenants with the dispatcher role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

/** Skips along the index from workspace to workspace. The environment is that of `domainScope`. */
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

  /** Each tenant with the moment of its earliest check. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST);
  }

  /** At most `limit` workspaces that have domains, by id; with `after`, an id, only those that follow it. */
  async workspaces(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.database.acrossTenants<{ workspace_id: string }>(
      `SELECT DISTINCT workspace_id FROM sending_domains
       WHERE $1::uuid IS NULL OR workspace_id > $1 ORDER BY workspace_id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ workspace_id: id }) => id);
  }
}

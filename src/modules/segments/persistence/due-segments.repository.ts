/**
 * Which tenants have touched contacts or segments that are to be refreshed, seen across tenants with the dispatcher's
 * eyes.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Steps from tenant to tenant along the index of a table, so that many rows cost no more than few. */
const earliest = (table: string, column: string): string => `
  (SELECT workspace_id, environment, ${column} AS due_at FROM ${table} WHERE ${column} IS NOT NULL
   ORDER BY workspace_id, environment, ${column} LIMIT 1)
  UNION ALL
  SELECT next.* FROM ${table}_due AS last, LATERAL (
    SELECT t.workspace_id, t.environment, t.${column} FROM ${table} t
    WHERE (t.workspace_id, t.environment) > (last.workspace_id, last.environment) AND t.${column} IS NOT NULL
    ORDER BY t.workspace_id, t.environment, t.${column} LIMIT 1) AS next`;

const EARLIEST = `
WITH RECURSIVE segment_touches_due AS (${earliest('segment_touches', 'touched_at')}),
segment_refreshes_due AS (${earliest('segment_refreshes', 'refresh_at')})
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  SELECT * FROM segment_touches_due UNION ALL SELECT * FROM segment_refreshes_due) AS due
GROUP BY workspace_id, environment`;

@Injectable()
export class DueSegmentsRepository {
  constructor(private readonly database: Database) {}

  /** Each tenant with the moment of its earliest touch or refresh. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST);
  }
}

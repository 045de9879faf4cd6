/** Which workspaces have mail of the product's own to be sent, or rows of it to be deleted, seen with the dispatcher's eyes. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Steps from workspace to workspace along the index. The environment is that of `noticeScope`. */
const EARLIEST = `
WITH RECURSIVE due AS (
  (SELECT workspace_id, due_at FROM notices ORDER BY workspace_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM due AS last, LATERAL (
    SELECT n.workspace_id, n.due_at FROM notices n
    WHERE n.workspace_id > last.workspace_id ORDER BY n.workspace_id, n.due_at LIMIT 1) AS next)
SELECT workspace_id, 'live' AS environment, due_at FROM due`;

@Injectable()
export class DueNoticesRepository {
  constructor(private readonly database: Database) {}

  /** Each workspace with the moment of its earliest row. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST);
  }
}

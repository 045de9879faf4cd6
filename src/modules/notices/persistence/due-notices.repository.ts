/** Lists the workspaces with mail of the product to send, or with rows of it to delete, with the dispatcher's role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/poller.js';

/** Maximum rows that are read. Later ones follow when these are done. */
const MAX_ROWS = 1_000;

/**
 * The earliest rows, regardless of how many workspaces only have rows to delete. The environment is that of
 * `noticeScope`.
 */
const EARLIEST = `
SELECT workspace_id, 'live' AS environment, min(due_at) AS due_at FROM (
  SELECT workspace_id, due_at FROM notices ORDER BY due_at LIMIT $1) AS earliest
GROUP BY workspace_id`;

@Injectable()
export class DueNoticesRepository {
  constructor(private readonly database: Database) {}

  /** Workspaces with the time of their earliest row. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST, [MAX_ROWS]);
  }
}

/** Which workspaces have mail of the product's own to be sent, or rows of it to be deleted, seen with the dispatcher's eyes. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/stage.js';

/** Rows that are looked at; those that are due later come up once these are done. */
const MOST = 1_000;

/** The earliest rows, however many workspaces have some that only wait to be deleted. The environment is that of `noticeScope`. */
const EARLIEST = `
SELECT workspace_id, 'live' AS environment, min(due_at) AS due_at FROM (
  SELECT workspace_id, due_at FROM notices ORDER BY due_at LIMIT $1) AS earliest
GROUP BY workspace_id`;

@Injectable()
export class DueNoticesRepository {
  constructor(private readonly database: Database) {}

  /** Workspaces with the moment of their earliest row. */
  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(EARLIEST, [MOST]);
  }
}

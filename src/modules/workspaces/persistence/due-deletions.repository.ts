/** Workspaces to be deleted, and when, across tenants. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { DueTenant } from '../../../platform/queue/poller.js';
import { SECOND_PASS_DELAY_MS } from '../domain/deletion.js';

/** Those that are due later are found once these are deleted. */
const MAX_DUE_DELETIONS = 100;

@Injectable()
export class DueDeletionsRepository {
  constructor(private readonly database: Database) {}

  async list(): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(
      `SELECT id AS workspace_id, 'live' AS environment,
         greatest(coalesce(deletion_begun_at + $2 * interval '1 millisecond', deletion_at), deletion_retry_at) AS due_at
       FROM workspaces WHERE deletion_at IS NOT NULL ORDER BY due_at LIMIT $1`,
      [MAX_DUE_DELETIONS, SECOND_PASS_DELAY_MS],
    );
  }
}

/** Lists the workspaces that have sending domains. Reads across tenants with the dispatcher role. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

@Injectable()
export class DomainWorkspacesRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` workspaces, by id; with `after`, an id, only those that follow it. */
  async list(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.database.acrossTenants<{ workspace_id: string }>(
      `SELECT DISTINCT workspace_id FROM sending_domains
       WHERE $1::uuid IS NULL OR workspace_id > $1 ORDER BY workspace_id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ workspace_id: id }) => id);
  }
}

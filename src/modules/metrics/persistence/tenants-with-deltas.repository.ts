/** Finds the tenants with pending rollup deltas, with the role of the dispatcher. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import type { DueTenant } from '../../../platform/queue/poller.js';
import { ROLLUPS } from '../domain/rollup.js';

const TENANTS_WITH_DELTAS = `SELECT DISTINCT workspace_id, environment, $1::timestamptz AS due_at FROM (${ROLLUPS.map(
  (name) =>
    `SELECT workspace_id, environment FROM (${earliestOfTenants(`FROM ${name}_changes WHERE true`, 'id')}) AS ${name}`,
).join(' UNION ALL ')}) AS noted`;

@Injectable()
export class TenantsWithDeltasRepository {
  constructor(private readonly database: Database) {}

  /** Returns the tenants that have any; all of them are due. */
  async list(now: Date): Promise<DueTenant[]> {
    return this.database.acrossTenants<DueTenant>(TENANTS_WITH_DELTAS, [now]);
  }
}

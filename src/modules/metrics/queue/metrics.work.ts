/** Adds pending deltas to rollups. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { dueWork, TenantPoller, type DueWork } from '../../../platform/queue/poller.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { Rollups } from '../application/rollups.js';
import { ROLLUPS } from '../domain/rollup.js';
import { MetricsModule } from '../metrics.module.js';

/** Poll interval in milliseconds of real time. */
const POLL_INTERVAL_MS = 5_000;

/** All of these tenants are due. */
const TENANTS_WITH_DELTAS = `SELECT DISTINCT workspace_id, environment, $1::timestamptz AS due_at FROM (${ROLLUPS.map(
  (name) =>
    `SELECT workspace_id, environment FROM (${earliestOfTenants(`FROM ${name}_changes WHERE true`, 'id')}) AS ${name}`,
).join(' UNION ALL ')}) AS noted`;

/** Polls every few seconds, so that many deltas are folded at a time. */
@Injectable()
class MetricsPoller extends TenantPoller {
  private lastPolledAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    super(WAKE_UPS.metrics, { sql: TENANTS_WITH_DELTAS, values: (now) => [now] }, database);
  }

  override async findDue(now: Date): Promise<DueWork> {
    const real = performance.now();
    if (real - this.lastPolledAt < POLL_INTERVAL_MS) return dueWork([], now);
    this.lastPolledAt = real;
    return super.findDue(now);
  }
}

export const WORK = defineWork({
  wakeUp: WAKE_UPS.metrics,
  imports: [MetricsModule],
  concurrency: 1,
  dueTenants: MetricsPoller,
  process: { with: Rollups, run: (rollups, scope, mayContinue) => rollups.fold(scope, mayContinue) },
});

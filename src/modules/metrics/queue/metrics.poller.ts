/** The poller that finds tenants with pending rollup deltas: every few seconds, so that many are folded at a time. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { TenantsWithDeltasRepository } from '../persistence/tenants-with-deltas.repository.js';
import { METRICS_WAKE_UP } from './metrics.wakeup.js';

/** Poll interval in milliseconds of real time. */
const POLL_INTERVAL_MS = 5_000;

@Injectable()
export class MetricsPoller implements Poller {
  readonly wakeUp = METRICS_WAKE_UP;
  private lastPolledAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly tenants: TenantsWithDeltasRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    const real = performance.now();
    if (real - this.lastPolledAt < POLL_INTERVAL_MS) return dueWork([], now);
    this.lastPolledAt = real;
    return dueWork(await this.tenants.list(now), now);
  }
}

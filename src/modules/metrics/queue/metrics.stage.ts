/** The poller that finds tenants with pending rollup deltas: every few seconds, so that many are folded at a time. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { NotedTenantsRepository } from '../persistence/noted-tenants.repository.js';
import { METRICS_BELL } from './metrics.jobs.js';

/** Poll interval in milliseconds of real time. */
const LOOK_EVERY = 5_000;

@Injectable()
export class MetricsStage implements Stage {
  readonly bell = METRICS_BELL;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly tenants: NotedTenantsRepository) {}

  async due(now: Date): Promise<DueWork> {
    const real = performance.now();
    if (real - this.lookedAt < LOOK_EVERY) return dueWork([], now);
    this.lookedAt = real;
    return dueWork(await this.tenants.list(now), now);
  }
}

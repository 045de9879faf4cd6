/** Finds the tenants whose members must be notified of their usage: once a minute, over all tenants. */
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../kernel/duration.js';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { FillingTenantsRepository } from '../persistence/filling-tenants.repository.js';
import { USAGE_BELL } from './usage.jobs.js';

/**
 * Milliseconds of the product's clock between polls. LEAST_PAUSE is the minimum in real time, however fast that clock
 * runs.
 */
const LOOK_EVERY = MINUTE;
const LEAST_PAUSE = 1_000;

@Injectable()
export class UsageStage implements Stage {
  readonly bell = USAGE_BELL;
  private nextLook = new Date(0);
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly tenants: FillingTenantsRepository) {}

  async due(now: Date): Promise<DueWork> {
    const real = performance.now();
    if (now < this.nextLook) return { ...dueWork([], now), next: this.nextLook };
    // The sweeper polls again within a second.
    if (real - this.lookedAt < LEAST_PAUSE) return dueWork([], now);
    const work = dueWork(await this.tenants.list(now), now);
    this.nextLook = new Date(now.getTime() + LOOK_EVERY);
    this.lookedAt = real;
    return { ...work, next: this.nextLook };
  }
}

/** Finds the tenants whose members must be notified of their usage: once a minute, over all tenants. */
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../kernel/duration.js';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { TenantsOverThresholdRepository } from '../persistence/tenants-over-threshold.repository.js';
import { USAGE_WAKE_UP } from './usage.wakeup.js';

/**
 * Milliseconds of the product's clock between polls. MIN_POLL_INTERVAL_MS is the minimum in real time, however fast
 * that clock runs.
 */
const POLL_INTERVAL_MS = MINUTE;
const MIN_POLL_INTERVAL_MS = 1_000;

@Injectable()
export class UsagePoller implements Poller {
  readonly wakeUp = USAGE_WAKE_UP;
  private nextPollAt = new Date(0);
  private lastPolledAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly tenants: TenantsOverThresholdRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    const real = performance.now();
    if (now < this.nextPollAt) return { ...dueWork([], now), next: this.nextPollAt };
    // The sweeper polls again within a second.
    if (real - this.lastPolledAt < MIN_POLL_INTERVAL_MS) return dueWork([], now);
    const work = dueWork(await this.tenants.list(now), now);
    this.nextPollAt = new Date(now.getTime() + POLL_INTERVAL_MS);
    this.lastPolledAt = real;
    return { ...work, next: this.nextPollAt };
  }
}

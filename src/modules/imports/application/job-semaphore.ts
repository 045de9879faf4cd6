/**
 * Permits that bound how many jobs are worked on concurrently. A job that waits for its platform releases its permit
 * to others, and queues for a permit again when there is work to do.
 */
import { MAX_WORKING_JOBS } from '../domain/work-limits.js';

export class JobSemaphore {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(permits: number = MAX_WORKING_JOBS) {
    this.free = permits;
  }

  /** Waits for a permit, after those that wait already. */
  async acquire(): Promise<JobPermit> {
    const permit = new JobPermit(this);
    await this.takePermit();
    return permit;
  }

  /** Only for `JobPermit`. */
  async takePermit(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  /** Only for `JobPermit`. */
  returnPermit(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}

export class JobPermit {
  constructor(private readonly semaphore: JobSemaphore) {}

  /** Releases the permit for good. */
  release(): void {
    this.semaphore.returnPermit();
  }

  /** Waits for something without the permit, and acquires one again afterwards. */
  async whileReleased<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.semaphore.returnPermit();
    try {
      return await wait();
    } finally {
      await this.semaphore.takePermit();
    }
  }
}

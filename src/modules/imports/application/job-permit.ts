/**
 * A permit to work on jobs. A job that waits for its platform releases its permit to others, and queues for one again
 * when there is work to do.
 */
import { type FairSemaphore, isPermit } from '../../../platform/concurrency/fair-semaphore.js';
import type { Permit } from '../../../platform/concurrency/fair-queue.js';
import { MAX_WORKING_JOBS } from '../domain/work-limits.js';

/** Each workspace works on one job at a time and waits for its permit as long as it takes. */
export const JOB_LIMITS = { maxPermits: MAX_WORKING_JOBS, maxPerOwner: 1, maxWaitingPerOwner: 1 } as const;

export class JobPermit {
  private constructor(
    private readonly semaphore: FairSemaphore,
    private readonly workspaceId: string,
    private permit: Permit,
  ) {}

  /** Waits for a permit, after those that wait already. */
  static async acquire(semaphore: FairSemaphore, workspaceId: string): Promise<JobPermit> {
    return new JobPermit(semaphore, workspaceId, await acquire(semaphore, workspaceId));
  }

  /** Releases the permit for good. */
  release(): void {
    this.permit.release();
  }

  /** Waits for something without the permit, and acquires one again afterwards. */
  async whileReleased<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.permit.release();
    try {
      return await wait();
    } finally {
      this.permit = await acquire(this.semaphore, this.workspaceId);
    }
  }
}

async function acquire(semaphore: FairSemaphore, workspaceId: string): Promise<Permit> {
  const permit = await semaphore.acquire(workspaceId);
  if (isPermit(permit)) return permit;
  throw new Error(`No permit for the workspace's job: ${permit}`);
}

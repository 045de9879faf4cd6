/**
 * Concurrency limits for outgoing requests: per process, per workspace and per host, so that neither we nor a tenant
 * through us overloads a host, and no workspace uses all of our capacity.
 */
import { FairSemaphore, isPermit } from '../concurrency/fair-semaphore.js';
import { OutboundError } from './outbound-error.js';

export interface RequestLimits {
  /** Maximum concurrent requests, in total and per owner. */
  readonly running: number;
  readonly runningPerOwner: number;
  /** Maximum waiting requests, in total and per owner. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** Maximum wait in milliseconds of real time. */
  readonly maxWaitMs: number;
}

export class RequestLimiter {
  private readonly semaphore: FairSemaphore;

  constructor({ running, runningPerOwner, waiting, waitingPerOwner, maxWaitMs }: RequestLimits) {
    this.semaphore = new FairSemaphore({
      maxPermits: running,
      maxPerOwner: runningPerOwner,
      maxWaiting: waiting,
      maxWaitingPerOwner: waitingPerOwner,
      maxWaitMs,
    });
  }

  /** Whether it has no running and no waiting requests. */
  get isIdle(): boolean {
    return this.semaphore.running === 0 && this.semaphore.waiting === 0;
  }

  /**
   * Works while it holds a permit.
   * @throws OutboundError busy, aborted; any error of `work`.
   */
  async run<Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const permit = await this.semaphore.acquire(owner, { signal });
    if (permit === 'aborted') throw new OutboundError('aborted', 'The wait was cancelled.');
    if (!isPermit(permit))
      throw new OutboundError(
        'busy',
        permit === 'full'
          ? 'Too many requests are already waiting.'
          : 'The request waited too long for its turn.',
      );
    try {
      return await work();
    } finally {
      permit.release();
    }
  }
}

/** A limiter per name; idle ones are discarded. */
export class RequestLimiters {
  private readonly limiters = new Map<string, RequestLimiter>();

  constructor(private readonly limits: RequestLimits) {}

  /** As RequestLimiter.run, with the limiter of this name. */
  async run<Result>(
    name: string,
    owner: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const limiter = this.limiters.get(name) ?? new RequestLimiter(this.limits);
    this.limiters.set(name, limiter);
    try {
      return await limiter.run(owner, signal, work);
    } finally {
      if (limiter.isIdle) this.limiters.delete(name);
    }
  }
}

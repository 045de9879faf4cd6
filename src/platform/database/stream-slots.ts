/**
 * Slots for files that are streamed while they are generated. Each workspace may have a few. If all slots are taken, a
 * workspace without one waits briefly and may evict another stream: first one with a slow reader, then the slowest
 * stream of a workspace that has several.
 */
import type { Permit } from '../concurrency/fair-queue.js';
import { FairSemaphore, isPermit } from '../concurrency/fair-semaphore.js';
import type { StallGuard } from './stall-guard.js';

export interface StreamSlotLimits {
  readonly maxPermits: number;
  readonly maxPerOwner: number;
  /** Milliseconds for which a workspace without a stream waits for a slot. */
  readonly maxWaitMs: number;
  /** Milliseconds behind the minimum pace after which a reader counts as slow. */
  readonly slowAfterMs: number;
  /** Milliseconds for which a stream that is not slow cannot be evicted. */
  readonly protectedMs: number;
}

interface RunningStream {
  readonly owner: string;
  readonly since: number;
  readonly stream: StallGuard;
}

/** A slot; release it when the stream has ended. */
export interface StreamSlot {
  attach(stream: StallGuard): void;
  release(): void;
}

/** Milliseconds between two searches for a stream to evict. */
const EVICTION_CHECK_INTERVAL_MS = 1_000;
/** Maximum waiting requests of one workspace. */
const MAX_WAITING_PER_OWNER = 2;

export class StreamSlots {
  private readonly permits: FairSemaphore;
  private readonly running = new Set<RunningStream>();

  constructor(private readonly limits: StreamSlotLimits) {
    const { maxPermits, maxPerOwner, maxWaitMs } = limits;
    this.permits = new FairSemaphore({
      ...{ maxPermits, maxPerOwner, maxWaitMs },
      maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
      order: 'fewest_running',
    });
  }

  /**
   * @param signal ends the wait.
   * @returns undefined if no slot becomes free.
   */
  async acquire(owner: string, signal?: AbortSignal): Promise<StreamSlot | undefined> {
    const permit = this.permits.tryAcquire(owner) ?? (await this.wait(owner, signal));
    if (!permit) return undefined;
    let entry: RunningStream | undefined;
    return {
      attach: (stream) => {
        entry = { owner, since: performance.now(), stream };
        this.running.add(entry);
      },
      release: () => {
        if (entry) this.running.delete(entry);
        permit.release();
      },
    };
  }

  private async wait(owner: string, signal?: AbortSignal): Promise<Permit | undefined> {
    if (this.permits.heldBy(owner) > 0) return undefined;
    let hasEvicted = this.evict();
    const checks = setInterval(() => (hasEvicted ||= this.evict()), EVICTION_CHECK_INTERVAL_MS);
    try {
      const permit = await this.permits.acquire(owner, { signal });
      return isPermit(permit) ? permit : undefined;
    } finally {
      clearInterval(checks);
    }
  }

  /** Evicts the first stream in eviction order, if any qualifies. */
  private evict(): boolean {
    const [first] = [...this.running]
      .filter((one) => this.isSlow(one) || this.isOneOfSeveral(one))
      .sort(
        (a, b) =>
          Number(this.isSlow(b)) - Number(this.isSlow(a)) ||
          this.permits.heldBy(b.owner) - this.permits.heldBy(a.owner) ||
          b.stream.lag - a.stream.lag,
      );
    if (!first) return false;
    this.running.delete(first);
    first.stream.abort('This was the slowest export while another workspace was waiting for one.');
    return true;
  }

  private isSlow({ stream }: RunningStream): boolean {
    return stream.lag >= this.limits.slowAfterMs;
  }

  private isOneOfSeveral({ owner, since }: RunningStream): boolean {
    return this.permits.heldBy(owner) > 1 && performance.now() - since >= this.limits.protectedMs;
  }
}

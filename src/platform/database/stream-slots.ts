/**
 * Slots for files that are streamed while they are generated. Each workspace may have a few. If all slots are taken, a
 * workspace without one waits briefly and may evict another stream: first one with a slow reader, then the slowest
 * stream of a workspace that has several.
 */
import { Shares } from './shares.js';
import type { StallCut } from './stall-cut.js';

export interface SlotBounds {
  readonly most: number;
  readonly mostOfOne: number;
  /** Milliseconds for which a workspace without a stream waits for a slot. */
  readonly patience: number;
  /** Milliseconds behind the minimum pace after which a reader counts as slow. */
  readonly slowAfter: number;
  /** Milliseconds for which a stream that is not slow cannot be evicted. */
  readonly undisturbedFor: number;
}

interface Running {
  readonly owner: string;
  readonly since: number;
  readonly stream: StallCut;
}

/** A slot; release it when the stream has ended. */
export interface StreamSlot {
  hold(stream: StallCut): void;
  free(): void;
}

/** Milliseconds between two searches for a stream to evict. */
const CHECK_EACH_MS = 1_000;
/** Maximum waiting requests of one workspace. */
const MOST_WAITING_OF_ONE = 2;

export class StreamSlots {
  private readonly shares: Shares;
  private readonly running = new Set<Running>();

  constructor(private readonly bounds: SlotBounds) {
    const { most, mostOfOne, patience } = bounds;
    this.shares = new Shares({ most, mostOfOne, patience, mostWaitingOfOne: MOST_WAITING_OF_ONE });
  }

  /**
   * @param signal ends the wait.
   * @returns undefined if no slot becomes free.
   */
  async take(owner: string, signal?: AbortSignal): Promise<StreamSlot | undefined> {
    const giveBack = this.shares.take(owner) ?? (await this.wait(owner, signal));
    if (!giveBack) return undefined;
    let entry: Running | undefined;
    return {
      hold: (stream) => {
        entry = { owner, since: performance.now(), stream };
        this.running.add(entry);
      },
      free: () => {
        if (entry) this.running.delete(entry);
        giveBack();
      },
    };
  }

  private async wait(owner: string, signal?: AbortSignal): Promise<(() => void) | undefined> {
    if (this.shares.of(owner) > 0) return undefined;
    let hasEvicted = this.evict();
    const checks = setInterval(() => (hasEvicted ||= this.evict()), CHECK_EACH_MS);
    try {
      return await this.shares.wait(owner, signal);
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
          this.shares.of(b.owner) - this.shares.of(a.owner) ||
          b.stream.lag - a.stream.lag,
      );
    if (!first) return false;
    this.running.delete(first);
    first.stream.cut('This was the slowest export while another workspace was waiting for one.');
    return true;
  }

  private isSlow({ stream }: Running): boolean {
    return stream.lag >= this.bounds.slowAfter;
  }

  private isOneOfSeveral({ owner, since }: Running): boolean {
    return this.shares.of(owner) > 1 && performance.now() - since >= this.bounds.undisturbedFor;
  }
}

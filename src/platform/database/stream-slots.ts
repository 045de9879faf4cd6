/**
 * Slots for files that are written while they are read. A workspace has few of them. Where all are taken and a workspace
 * without one asks, it waits for a short while, and whoever takes most gives way: first a stream whose reader is slow, then
 * the slowest of a workspace with several streams.
 */
import { Shares } from './shares.js';
import type { StallCut } from './stall-cut.js';

export interface SlotBounds {
  readonly most: number;
  readonly mostOfOne: number;
  /** Milliseconds for which a workspace without a stream waits for a slot. */
  readonly patience: number;
  /** Milliseconds behind the minimum pace from which a reader counts as slow. */
  readonly slowAfter: number;
  /** Milliseconds for which a stream that is not slow is left alone. */
  readonly undisturbedFor: number;
}

interface Running {
  readonly owner: string;
  readonly since: number;
  readonly stream: StallCut;
}

/** Gives a slot back once the stream has ended. */
export interface StreamSlot {
  hold(stream: StallCut): void;
  free(): void;
}

/** Milliseconds between two looks for a stream that gives way. */
const CHECK_EACH_MS = 1_000;
/** Requests of one workspace that wait. */
const MOST_WAITING_OF_ONE = 2;

export class StreamSlots {
  private readonly shares: Shares;
  private readonly running = new Set<Running>();

  constructor(private readonly bounds: SlotBounds) {
    const { most, mostOfOne, patience } = bounds;
    this.shares = new Shares({ most, mostOfOne, patience, mostWaitingOfOne: MOST_WAITING_OF_ONE });
  }

  /**
   * @param signal ends the waiting.
   * @returns undefined when none is to be had.
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

  /** Ends the stream that gives way first, if any does. */
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

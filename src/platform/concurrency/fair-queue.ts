/**
 * A fair queue for a limited number of concurrent tasks: owners take turns, none may run all of the tasks, and the
 * queue is bounded in number and bytes, per owner and in total. Independent of threads and time.
 */

/** Limits of the work of all owners, or of one. */
export interface FairQueueLimits {
  /** Maximum concurrent work. */
  readonly running: number;
  /** Maximum waiting work. */
  readonly waiting: number;
  /** Maximum bytes held by waiting work. */
  readonly waitingBytes: number;
}

/**
 * Whose waiting work is next. `in_turn`: the owners in the order in which they arrived, and an owner that was served
 * goes to the end. `fewest_running`: the owner that runs the fewest, and among equals the one whose work started or
 * ended the longest time ago.
 */
export type OwnerOrder = 'in_turn' | 'fewest_running';

/** Work that is running or queued. */
export interface Permit {
  /** Releases the permit, or leaves the queue. Further calls do nothing. */
  release(): void;
}

interface Waiter {
  readonly bytes: number;
  readonly start: () => void;
}

/** The work of one owner; discarded when empty. */
interface Owner {
  running: number;
  waitingBytes: number;
  readonly waiting: Set<Waiter>;
}

export class FairQueue {
  /** In the order in which they are next. */
  private readonly owners = new Map<string, Owner>();
  private runningCount = 0;
  private waitingBytes = 0;
  private waitingCount = 0;

  constructor(
    private readonly total: FairQueueLimits,
    private readonly perOwner: FairQueueLimits,
    private readonly order: OwnerOrder = 'in_turn',
  ) {}

  /** The number of running pieces of work. */
  get running(): number {
    return this.runningCount;
  }

  /** The number of waiting pieces of work. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** The number of running pieces of the owner's work. */
  runningOf(owner: string): number {
    return this.owners.get(owner)?.running ?? 0;
  }

  /** Starts work if it does not have to wait. */
  tryStart(owner: string): Permit | undefined {
    const own = this.ownerOf(owner);
    if (!this.mayStart(own) || own.waiting.size > 0) return undefined;
    this.owners.set(owner, own);
    return this.start(owner, own);
  }

  /**
   * Requests a permit.
   * @param bytes bytes that the work holds while it waits.
   * @param begin called when the permit is granted: immediately if one is free, and never after leaving the queue.
   * @returns undefined if the queue, or the owner's part of it, is full.
   */
  request(owner: string, bytes: number, begin: () => void): Permit | undefined {
    let started = this.tryStart(owner);
    if (started) {
      begin();
      return started;
    }
    const own = this.ownerOf(owner);
    if (
      this.waitingCount >= this.total.waiting ||
      own.waiting.size >= this.perOwner.waiting ||
      this.waitingBytes + bytes > this.total.waitingBytes ||
      own.waitingBytes + bytes > this.perOwner.waitingBytes
    )
      return undefined;
    this.owners.set(owner, own);
    const waiter = {
      bytes,
      start: () => {
        started = this.start(owner, own);
        begin();
      },
    };
    own.waiting.add(waiter);
    this.account(own, 1, bytes);
    return {
      release: () => {
        if (started) started.release();
        else this.withdraw(owner, own, waiter);
      },
    };
  }

  private ownerOf(owner: string): Owner {
    return this.owners.get(owner) ?? { running: 0, waitingBytes: 0, waiting: new Set() };
  }

  private start(owner: string, own: Owner): Permit {
    own.running++;
    this.runningCount++;
    if (this.order === 'fewest_running') this.moveToEnd(owner, own);
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        own.running--;
        this.runningCount--;
        if (this.order === 'fewest_running') this.moveToEnd(owner, own);
        this.forgetIdle(owner, own);
        this.startNext();
      },
    };
  }

  /** Starts the next work; an owner that was served moves to the end. */
  private startNext(): void {
    for (let owner = this.nextOwner(); owner !== undefined; owner = this.nextOwner()) {
      const own = this.owners.get(owner);
      const [waiter] = own?.waiting ?? [];
      if (!own || !waiter) return;
      own.waiting.delete(waiter);
      this.account(own, -1, -waiter.bytes);
      this.moveToEnd(owner, own);
      waiter.start();
    }
  }

  private nextOwner(): string | undefined {
    if (this.runningCount >= this.total.running) return undefined;
    let next: string | undefined;
    let fewest = Infinity;
    for (const [owner, own] of this.owners) {
      if (own.waiting.size === 0 || !this.mayStart(own) || own.running >= fewest) continue;
      if (this.order === 'in_turn') return owner;
      next = owner;
      fewest = own.running;
    }
    return next;
  }

  private moveToEnd(owner: string, own: Owner): void {
    this.owners.delete(owner);
    this.owners.set(owner, own);
  }

  private withdraw(owner: string, own: Owner, waiter: Waiter): void {
    if (!own.waiting.delete(waiter)) return;
    this.account(own, -1, -waiter.bytes);
    this.forgetIdle(owner, own);
  }

  private mayStart(own: Owner): boolean {
    return this.runningCount < this.total.running && own.running < this.perOwner.running;
  }

  private account(own: Owner, count: number, bytes: number): void {
    this.waitingCount += count;
    own.waitingBytes += bytes;
    this.waitingBytes += bytes;
  }

  private forgetIdle(owner: string, own: Owner): void {
    if (own.running === 0 && own.waiting.size === 0) this.owners.delete(owner);
  }
}

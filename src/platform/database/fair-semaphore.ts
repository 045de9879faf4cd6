/**
 * Limits concurrency in total and per owner, so that no owner uses all permits. A caller may wait for a permit, for a
 * limited time and in a queue that is limited per owner.
 */

export interface SemaphoreLimits {
  /** Maximum concurrent permits. */
  readonly maxPermits: number;
  /** Maximum concurrent permits of one owner. */
  readonly maxPerOwner: number;
  /** Maximum waiting callers of one owner; zero by default. */
  readonly maxWaitingPerOwner?: number;
  /** Maximum wait in milliseconds of real time. */
  readonly maxWaitMs?: number;
}

type Release = () => void;

interface Waiter {
  readonly owner: string;
  readonly grant: (release: Release) => void;
}

export class FairSemaphore {
  private readonly held = new Map<string, number>();
  /** In order of arrival. */
  private readonly waiters = new Set<Waiter>();
  /** Owners that hold or wait for a permit. The owner that has not received one for the longest time comes first. */
  private readonly ownerOrder = new Set<string>();
  private totalHeld = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /**
   * Takes a permit for an owner.
   * @returns a function that releases the permit; further calls do nothing. Undefined if no permit is free.
   */
  tryAcquire(owner: string): Release | undefined {
    const own = this.heldBy(owner);
    if (this.totalHeld >= this.limits.maxPermits || own >= this.limits.maxPerOwner) return undefined;
    this.totalHeld++;
    this.held.set(owner, own + 1);
    this.moveToEnd(owner);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.totalHeld--;
      const left = this.heldBy(owner) - 1;
      if (left === 0) this.held.delete(owner);
      else this.held.set(owner, left);
      this.moveToEnd(owner);
      this.forgetIdle(owner);
      this.grantNext();
    };
  }

  /**
   * Takes a permit as soon as one is free.
   * @param signal ends the wait.
   * @returns a function that releases the permit. Undefined if none became free in time, or if too many callers of the
   *   owner wait already.
   */
  async acquire(owner: string, signal?: AbortSignal): Promise<Release | undefined> {
    const acquired = this.tryAcquire(owner);
    if (acquired) return acquired;
    const { maxWaitingPerOwner: maxWaitingPerOwner = 0, maxWaitMs: maxWaitMs = 0 } = this.limits;
    if (
      signal?.aborted ||
      [...this.waiters].filter((one) => one.owner === owner).length >= maxWaitingPerOwner
    )
      return undefined;
    return new Promise((resolve) => {
      const end = (release?: Release): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.waiters.delete(waiter);
        this.forgetIdle(owner);
        resolve(release);
      };
      const cancel = (): void => end();
      const waiter: Waiter = { owner, grant: end };
      const timer = setTimeout(cancel, maxWaitMs);
      signal?.addEventListener('abort', cancel, { once: true });
      this.waiters.add(waiter);
      this.ownerOrder.add(owner);
    });
  }

  /** Whether a caller waits for a permit. */
  get hasWaiters(): boolean {
    return this.waiters.size > 0;
  }

  /**
   * Grants free permits to waiting callers: first to the owner with the fewest running, then to the owner that has not
   * received one for the longest time, then in order of arrival.
   */
  private grantNext(): void {
    const ranks = new Map([...this.ownerOrder].map((owner, rank) => [owner, rank]));
    const rankOf = ({ owner }: Waiter): number => ranks.get(owner) ?? 0;
    const inOrder = [...this.waiters].sort(
      (a, b) => this.heldBy(a.owner) - this.heldBy(b.owner) || rankOf(a) - rankOf(b),
    );
    for (const { owner, grant: grant } of inOrder) {
      const acquired = this.tryAcquire(owner);
      if (acquired) {
        grant(acquired);
        return;
      }
    }
  }

  private moveToEnd(owner: string): void {
    this.ownerOrder.delete(owner);
    this.ownerOrder.add(owner);
  }

  private forgetIdle(owner: string): void {
    if (this.heldBy(owner) === 0 && ![...this.waiters].some((one) => one.owner === owner))
      this.ownerOrder.delete(owner);
  }

  /** The number of permits that the owner holds. */
  heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }
}

/**
 * Limits concurrency in total and per owner, so that no owner uses all permits. A caller may wait for a permit, for a
 * limited time and in a queue that is limited per owner.
 */

export interface Bounds {
  /** Maximum concurrent permits. */
  readonly most: number;
  /** Maximum concurrent permits of one owner. */
  readonly mostOfOne: number;
  /** Maximum waiting callers of one owner; zero by default. */
  readonly mostWaitingOfOne?: number;
  /** Maximum wait in milliseconds of real time. */
  readonly patience?: number;
}

type GiveBack = () => void;

interface Waiting {
  readonly owner: string;
  readonly begin: (giveBack: GiveBack) => void;
}

export class Shares {
  private readonly running = new Map<string, number>();
  /** In order of arrival. */
  private readonly line = new Set<Waiting>();
  /** Owners that hold or wait for a permit. The owner that has not received one for the longest time comes first. */
  private readonly turns = new Set<string>();
  private total = 0;

  constructor(private readonly bounds: Bounds) {}

  /**
   * Takes a permit for an owner.
   * @returns a function that releases the permit; further calls do nothing. Undefined if no permit is free.
   */
  take(owner: string): GiveBack | undefined {
    const own = this.of(owner);
    if (this.total >= this.bounds.most || own >= this.bounds.mostOfOne) return undefined;
    this.total++;
    this.running.set(owner, own + 1);
    this.toTheEnd(owner);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.total--;
      const left = this.of(owner) - 1;
      if (left === 0) this.running.delete(owner);
      else this.running.set(owner, left);
      this.toTheEnd(owner);
      this.forgetIdle(owner);
      this.next();
    };
  }

  /**
   * Takes a permit as soon as one is free.
   * @param signal ends the wait.
   * @returns a function that releases the permit. Undefined if none became free in time, or if too many callers of the
   *   owner wait already.
   */
  async wait(owner: string, signal?: AbortSignal): Promise<GiveBack | undefined> {
    const share = this.take(owner);
    if (share) return share;
    const { mostWaitingOfOne = 0, patience = 0 } = this.bounds;
    if (signal?.aborted || [...this.line].filter((one) => one.owner === owner).length >= mostWaitingOfOne)
      return undefined;
    return new Promise((resolve) => {
      const end = (giveBack?: GiveBack): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.line.delete(waiting);
        this.forgetIdle(owner);
        resolve(giveBack);
      };
      const giveUp = (): void => end();
      const waiting: Waiting = { owner, begin: end };
      const timer = setTimeout(giveUp, patience);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.line.add(waiting);
      this.turns.add(owner);
    });
  }

  /** Whether a caller waits for a permit. */
  get isAwaited(): boolean {
    return this.line.size > 0;
  }

  /**
   * Grants free permits to waiting callers: first to the owner with the fewest running, then to the owner that has not
   * received one for the longest time, then in order of arrival.
   */
  private next(): void {
    const turn = new Map([...this.turns].map((owner, place) => [owner, place]));
    const placeOf = ({ owner }: Waiting): number => turn.get(owner) ?? 0;
    const waiting = [...this.line].sort(
      (a, b) => this.of(a.owner) - this.of(b.owner) || placeOf(a) - placeOf(b),
    );
    for (const { owner, begin } of waiting) {
      const share = this.take(owner);
      if (share) {
        begin(share);
        return;
      }
    }
  }

  private toTheEnd(owner: string): void {
    this.turns.delete(owner);
    this.turns.add(owner);
  }

  private forgetIdle(owner: string): void {
    if (this.of(owner) === 0 && ![...this.line].some((one) => one.owner === owner)) this.turns.delete(owner);
  }

  /** The number of permits that the owner holds. */
  of(owner: string): number {
    return this.running.get(owner) ?? 0;
  }
}

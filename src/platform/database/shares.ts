/**
 * Lets so many pieces of work run at a time, and so many of each owner, so that nobody's take up all the room. Whoever
 * finds none may wait for it: for a while, and in a line that is short for each owner.
 */

export interface Bounds {
  /** How many may run at a time. */
  readonly most: number;
  /** How many of them may be one owner's. */
  readonly mostOfOne: number;
  /** How many of one owner may wait; nobody, unless it is given. */
  readonly mostWaitingOfOne?: number;
  /** How long one waits, in milliseconds of real time. */
  readonly patience?: number;
}

type GiveBack = () => void;

interface Waiting {
  readonly owner: string;
  readonly begin: (giveBack: GiveBack) => void;
}

export class Shares {
  private readonly running = new Map<string, number>();
  /** In the order in which they came. */
  private readonly line = new Set<Waiting>();
  /** Owners that have a share or wait for one; those who have had none for longest come first. */
  private readonly turns = new Set<string>();
  private total = 0;

  constructor(private readonly bounds: Bounds) {}

  /**
   * Takes a share for an owner.
   * @returns gives the share back; once is enough, and more do no harm. Undefined when there is none to be had.
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
   * Takes a share as soon as there is one.
   * @param signal ends the waiting.
   * @returns gives the share back. Undefined when none was to be had in time, or too many of the owner wait already.
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

  /** Whether anybody waits for a share. */
  get isAwaited(): boolean {
    return this.line.size > 0;
  }

  /**
   * Lets begin who waits: first those whose owner has the least running, among them those whose owner has had no share for
   * longest, among the owner's who came first.
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

  /** How many the owner has. */
  of(owner: string): number {
    return this.running.get(owner) ?? 0;
  }
}

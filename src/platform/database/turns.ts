/** Lets so many pieces of work run at a time; the others wait, in the order in which they came. */

export class Turns {
  private readonly waiting: (() => void)[] = [];

  /** @param free how many may run at a time. */
  constructor(private free: number) {}

  /** How many wait for their turn. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Resolves when it is the caller's turn.
   * @returns gives the turn back; once is enough, and more do no harm.
   */
  async take(): Promise<() => void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    };
  }
}

/** Lets so many pieces of work run at a time, and so many of each owner, so that nobody's take up all the room. */

export class Shares {
  private readonly running = new Map<string, number>();
  private total = 0;

  /**
   * @param most how many may run at a time.
   * @param mostOfOne how many of them may be one owner's.
   */
  constructor(
    private readonly most: number,
    private readonly mostOfOne: number,
  ) {}

  /**
   * Takes a share for an owner.
   * @returns gives the share back; once is enough, and more do no harm. Undefined when there is none to be had.
   */
  take(owner: string): (() => void) | undefined {
    const own = this.running.get(owner) ?? 0;
    if (this.total >= this.most || own >= this.mostOfOne) return undefined;
    this.total++;
    this.running.set(owner, own + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.total--;
      const left = (this.running.get(owner) ?? 1) - 1;
      if (left === 0) this.running.delete(owner);
      else this.running.set(owner, left);
    };
  }
}

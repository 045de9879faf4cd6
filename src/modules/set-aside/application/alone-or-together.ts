/**
 * Who may work at the same time in one process: many together, or one alone. Whoever comes first is first, so neither
 * those together nor those alone wait for ever.
 */
interface Waiting {
  readonly isAlone: boolean;
  readonly begin: () => void;
}

export class AloneOrTogether {
  private readonly waiting: Waiting[] = [];
  /** How many are at work; -1 for one alone. */
  private working = 0;

  /** Works while others do, and while nobody is alone or waits to be. */
  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.inTurn(false, work);
  }

  /** Works while nobody else does. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.inTurn(true, work);
  }

  private async inTurn<Result>(isAlone: boolean, work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length > 0 || !this.mayBegin(isAlone))
      await new Promise<void>((begin) => this.waiting.push({ isAlone, begin }));
    else this.begin(isAlone);
    try {
      return await work();
    } finally {
      this.end(isAlone);
    }
  }

  private mayBegin(isAlone: boolean): boolean {
    return isAlone ? this.working === 0 : this.working >= 0;
  }

  private begin(isAlone: boolean): void {
    this.working = isAlone ? -1 : this.working + 1;
  }

  private end(isAlone: boolean): void {
    this.working = isAlone ? 0 : this.working - 1;
    for (let next = this.waiting[0]; next && this.mayBegin(next.isAlone); next = this.waiting[0]) {
      this.waiting.shift();
      this.begin(next.isAlone);
      next.begin();
    }
  }
}

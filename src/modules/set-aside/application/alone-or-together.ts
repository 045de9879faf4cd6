/**
 * Decides which work may run at the same time in one process: many shared tasks, or one exclusive task. Waiting tasks
 * start in order of arrival, so neither kind starves.
 */
interface Waiting {
  readonly isAlone: boolean;
  readonly begin: () => void;
}

export class AloneOrTogether {
  private readonly waiting: Waiting[] = [];
  /** The number of running tasks; -1 while an exclusive task runs. */
  private working = 0;

  /** Runs alongside other shared work. Waits while an exclusive task runs or is queued. */
  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.inTurn(false, work);
  }

  /** Runs while no other work does. */
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

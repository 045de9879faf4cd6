/**
 * Decides which work may run at the same time in one process: many shared tasks, or one exclusive task. Waiting tasks
 * start in order of arrival, so neither kind starves.
 */
interface Waiter {
  readonly isExclusive: boolean;
  readonly start: () => void;
}

export class SharedExclusiveLock {
  private readonly waiting: Waiter[] = [];
  /** The number of running tasks; -1 while an exclusive task runs. */
  private running = 0;

  /** Runs alongside other shared work. Waits while an exclusive task runs or is queued. */
  async runShared<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.run(false, work);
  }

  /** Runs while no other work does. */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.run(true, work);
  }

  private async run<Result>(isExclusive: boolean, work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length > 0 || !this.mayStart(isExclusive))
      await new Promise<void>((start) => this.waiting.push({ isExclusive, start }));
    else this.start(isExclusive);
    try {
      return await work();
    } finally {
      this.end(isExclusive);
    }
  }

  private mayStart(isExclusive: boolean): boolean {
    return isExclusive ? this.running === 0 : this.running >= 0;
  }

  private start(isExclusive: boolean): void {
    this.running = isExclusive ? -1 : this.running + 1;
  }

  private end(isExclusive: boolean): void {
    this.running = isExclusive ? 0 : this.running - 1;
    for (let next = this.waiting[0]; next && this.mayStart(next.isExclusive); next = this.waiting[0]) {
      this.waiting.shift();
      this.start(next.isExclusive);
      next.start();
    }
  }
}

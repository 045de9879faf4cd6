/**
 * Work that many ask for at once, done by one for all. Of each key one run is under way at a time; whoever asks meanwhile
 * shares the next one with all others who wait. A run therefore never begins before the request that it answers, so that
 * it sees all that had happened by then.
 */
interface Run<Result> {
  readonly ended: Promise<unknown>;
  next: Promise<Result> | undefined;
}

export class SharedRuns<Result> {
  private readonly runs = new Map<string, Run<Result>>();

  /** @param work the same for every caller of the key. @throws what the work throws. */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const run = this.runs.get(key);
    if (!run) return this.begin(key, work);
    return (run.next ??= run.ended.then(() => this.begin(key, work)));
  }

  private begin(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = work();
    const run: Run<Result> = { ended: result.catch(() => undefined), next: undefined };
    this.runs.set(key, run);
    void run.ended.then(() => {
      if (!run.next) this.runs.delete(key);
    });
    return result;
  }
}

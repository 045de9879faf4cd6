/**
 * Runs the same work once for many callers. Each key has at most one run at a time. Callers that arrive during a run
 * share the next one, so that no caller gets the result of a run that began before its call.
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

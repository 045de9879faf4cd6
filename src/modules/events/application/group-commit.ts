/**
 * Combines concurrent requests of a tenant into one transaction: items that arrive within a few milliseconds are stored
 * by one multi-row insert, and all requests are answered after its commit. While a batch is being stored the next one
 * fills, so batches grow with the load and the wait does not.
 */

/** Stores a batch. Returns the outcome of each item, in order. */
export type StoreBatch<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>;

interface WaitingItem<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitOptions {
  /** How long the first item of a batch waits for others, in milliseconds. */
  readonly lingerMs: number;
  readonly maxBatchSize: number;
  readonly maxInFlight: number;
}

export class GroupCommit<Item, Outcome> {
  private waiting: WaitingItem<Item, Outcome>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private inFlight = 0;

  constructor(
    private readonly store: StoreBatch<Item, Outcome>,
    private readonly options: GroupCommitOptions,
  ) {}

  /** Whether nothing is waiting or being stored. */
  get isIdle(): boolean {
    return this.waiting.length === 0 && this.inFlight === 0;
  }

  /**
   * Resolves when the item is stored. If its batch fails, each item is retried separately, so one that cannot be stored
   * does not affect the others.
   */
  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length >= this.options.maxBatchSize) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), this.options.lingerMs);
    });
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length > 0 && this.inFlight < this.options.maxInFlight) {
      const batch = this.waiting.splice(0, this.options.maxBatchSize);
      this.inFlight++;
      void this.commit(batch).finally(() => {
        this.inFlight--;
        if (this.waiting.length > 0) this.flush();
      });
    }
  }

  private async commit(batch: readonly WaitingItem<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.store(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1 && only) only.reject(error);
      else if (isDataError(error)) for (const one of batch) await this.commit([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Class 22 and 54: a value that PostgreSQL rejects. The other items of the batch may be fine. */
function isDataError(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code.startsWith('22') || code.startsWith('54');
}

/**
 * Remembers work whose failures may be transient, by the rows that failed. At first, all rows of a failed batch are
 * suspects. Rows that succeed in other batches, or that later failures do not share, are cleared. Other work that runs
 * at the same time is no evidence about them. Once a row that others need not wait for is isolated, its failures are
 * counted separately.
 */
import { LRUCache } from 'lru-cache';
import { addFailure, type Failures } from './retry-policy.js';

/** Maximum number of queues and single rows remembered. Beyond it, the ones that failed longest ago are forgotten. */
const MAX_FAILING = 10_000;
/** Maximum number of failing batches of one queue that share no row. */
const MAX_BATCHES_PER_QUEUE = 16;

interface FailingBatch {
  readonly failures: Failures;
  /** Empty if the batch failed before its rows were known. */
  readonly quarantined: ReadonlySet<string>;
}

export class FailingWork {
  private readonly batches = new LRUCache<string, readonly FailingBatch[]>({ max: MAX_FAILING });
  private readonly rows = new LRUCache<string, Failures>({ max: MAX_FAILING });

  /** Whether the whole queue is paused. */
  isPausing(queue: string, now: Date): boolean {
    return this.batches.get(queue)?.some(({ failures }) => now < failures.until) ?? false;
  }

  /**
   * Records the failure of a batch. Failures during a pause belong to the failure that started it: they narrow down the
   * suspects.
   * @returns what is known of the failure so far, and the number of rows of which one is the cause.
   */
  batchFailed(
    queue: string,
    claimed: readonly string[],
    now: Date,
  ): { readonly failures: Failures; readonly quarantinedCount: number } {
    const known = this.batches.get(queue) ?? [];
    const same = known.filter(({ quarantined: suspects }) => concerns(suspects, claimed));
    const [first] = [...same].sort((one, other) => other.failures.tries - one.failures.tries);
    const failures = first && now < first.failures.until ? first.failures : addFailure(first?.failures, now);
    const inCommon = claimed.filter((id) => same.some(({ quarantined: suspects }) => suspects.has(id)));
    const quarantined = new Set(first ? inCommon : claimed);
    const others = known.filter((batch) => !same.includes(batch));
    this.batches.set(queue, [...others, { failures, quarantined }].slice(-MAX_BATCHES_PER_QUEUE));
    return { failures, quarantinedCount: quarantined.size };
  }

  /** Records that a row failed alone, and that others need not wait for it. */
  rowFailed(queue: string, id: string, now: Date, isCostly: boolean): Failures {
    this.clear(queue, [id]);
    const failures = addFailure(this.rows.get(`${queue} ${id}`), now, isCostly);
    this.rows.set(`${queue} ${id}`, failures);
    return failures;
  }

  /** Whether one of the rows has failed alone before. */
  includesFailing(queue: string, claimed: readonly string[]): boolean {
    return this.rows.size > 0 && claimed.some((id) => this.rows.has(`${queue} ${id}`));
  }

  /** Records that the rows are done or have left the queue. */
  done(queue: string, claimed: readonly string[]): void {
    this.clear(queue, claimed);
    if (this.rows.size > 0) for (const id of claimed) this.rows.delete(`${queue} ${id}`);
  }

  private clear(queue: string, claimed: readonly string[]): void {
    const known = this.batches.get(queue);
    if (!known) return;
    const left = known.flatMap(({ failures, quarantined: suspects }) => {
      const others = new Set(suspects);
      for (const id of claimed) others.delete(id);
      return others.size > 0 ? [{ failures, quarantined: others }] : [];
    });
    if (left.length > 0) this.batches.set(queue, left);
    else this.batches.delete(queue);
  }
}

function concerns(quarantined: ReadonlySet<string>, claimed: readonly string[]): boolean {
  return claimed.length === 0 ? quarantined.size === 0 : claimed.some((id) => quarantined.has(id));
}

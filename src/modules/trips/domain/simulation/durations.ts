/**
 * Counts durations and gives the longest and the median, to the second, with memory that does not grow with their
 * number.
 */

export interface DurationStats {
  /** Of those that are over; null if none is. */
  readonly longestSeconds: number | null;
  readonly medianSeconds: number | null;
}

const SECOND = 1_000;

export class Durations {
  /** The number of durations, by length in seconds. */
  private readonly bySeconds = new Map<number, number>();
  private completed = 0;
  /** The number of those that are not over. */
  open = 0;

  get count(): number {
    return this.completed + this.open;
  }

  add(milliseconds: number, isOver: boolean): void {
    if (!isOver) {
      this.open++;
      return;
    }
    const seconds = Math.round(milliseconds / SECOND);
    this.completed++;
    this.bySeconds.set(seconds, (this.bySeconds.get(seconds) ?? 0) + 1);
  }

  stats(): DurationStats {
    const sorted = [...this.bySeconds].toSorted(([one], [other]) => one - other);
    let remaining = Math.ceil(this.completed / 2);
    const median = sorted.find(([, count]) => (remaining -= count) <= 0);
    return { longestSeconds: sorted.at(-1)?.[0] ?? null, medianSeconds: median?.[0] ?? null };
  }
}

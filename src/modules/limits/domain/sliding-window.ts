/**
 * A window that slides, section 8.1: at most so many requests in any stretch of its length. It is a ring of short
 * buckets, of constant size however many requests come. A bucket leaves as a whole once its end is a window's
 * length ago, so the limit is never exceeded, and a request is held against its caller at most one bucket too long.
 */
const BUCKETS = 240;

export class SlidingWindow {
  private readonly bucketLength: number;
  private counts = new Uint32Array(BUCKETS + 1);
  private total = 0;
  /** Number of the present bucket, counted from the beginning of time. */
  private present = 0;
  /** No bucket before this one holds a request. */
  private oldest = 0;

  /** @param length of the window in milliseconds. */
  constructor(readonly length: number) {
    this.bucketLength = length / BUCKETS;
  }

  /** Requests inside of the window at `now` (milliseconds). */
  used(now: number): number {
    this.advance(now);
    return this.total;
  }

  /** Counts one request at `now`. */
  add(now: number): void {
    this.advance(now);
    const slot = this.present % this.counts.length;
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
    this.total++;
  }

  /** When the oldest request leaves the window, in milliseconds; `now` when there is none. */
  freesAt(now: number): number {
    this.advance(now);
    if (this.total === 0) return now;
    while (this.counts[this.oldest % this.counts.length] === 0) this.oldest++;
    return (this.oldest + this.counts.length) * this.bucketLength;
  }

  /** Brings the ring to `now`; a clock that steps back by less than the window leaves it where it is. */
  private advance(now: number): void {
    const bucket = Math.floor(now / this.bucketLength);
    if (this.present - bucket > this.counts.length) this.turnBack(this.present - bucket);
    if (bucket <= this.present) return;
    if (this.total === 0 || bucket - this.present >= this.counts.length) {
      this.counts.fill(0);
      this.total = 0;
      this.oldest = bucket;
    } else {
      for (let next = this.present + 1; next <= bucket; next++) {
        const slot = next % this.counts.length;
        this.total -= this.counts[slot] ?? 0;
        this.counts[slot] = 0;
      }
      this.oldest = Math.max(this.oldest, bucket - this.counts.length + 1);
    }
    this.present = bucket;
  }

  /** What was counted counts as if it were of now: nobody waits until the clock is as late again. */
  private turnBack(buckets: number): void {
    const { counts } = this;
    this.counts = counts.map((_, slot) => counts[(slot + buckets) % counts.length] ?? 0);
    this.present -= buckets;
    this.oldest -= buckets;
  }
}

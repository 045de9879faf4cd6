/**
 * A sliding window, section 8.1: a maximum number of requests in any interval of its length. It is a ring of short
 * buckets, of constant size for any traffic. A bucket expires as a whole when its end is one window length in the past,
 * so the limit is never exceeded, and a request counts at most one bucket too long.
 */
const BUCKETS = 240;

export class SlidingWindow {
  private readonly bucketLength: number;
  private counts = new Uint32Array(BUCKETS + 1);
  private total = 0;
  /** Number of the current bucket, counted from the epoch. */
  private current = 0;
  /** No bucket before this one contains a request. */
  private oldest = 0;

  /** @param length of the window in milliseconds. */
  constructor(readonly length: number) {
    this.bucketLength = length / BUCKETS;
  }

  /** Requests within the window at `now` (milliseconds). */
  used(now: number): number {
    this.advance(now);
    return this.total;
  }

  /** Counts one request at `now`. */
  add(now: number): void {
    this.advance(now);
    const slot = this.current % this.counts.length;
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
    this.total++;
  }

  /** When the oldest request leaves the window, in milliseconds; `now` if there is none. */
  freesAt(now: number): number {
    this.advance(now);
    if (this.total === 0) return now;
    while (this.counts[this.oldest % this.counts.length] === 0) this.oldest++;
    return (this.oldest + this.counts.length) * this.bucketLength;
  }

  /** Advances the ring to `now`; a clock that steps back by less than the window leaves it unchanged. */
  private advance(now: number): void {
    const bucket = Math.floor(now / this.bucketLength);
    if (this.current - bucket > this.counts.length) this.rewind(this.current - bucket);
    if (bucket <= this.current) return;
    if (this.total === 0 || bucket - this.current >= this.counts.length) {
      this.counts.fill(0);
      this.total = 0;
      this.oldest = bucket;
    } else {
      for (let next = this.current + 1; next <= bucket; next++) {
        const slot = next % this.counts.length;
        this.total -= this.counts[slot] ?? 0;
        this.counts[slot] = 0;
      }
      this.oldest = Math.max(this.oldest, bucket - this.counts.length + 1);
    }
    this.current = bucket;
  }

  /**
   * After the clock was set back further, counts everything as recent, so that no caller waits until the clock catches
   * up.
   */
  private rewind(buckets: number): void {
    const { counts } = this;
    this.counts = counts.map((_, slot) => counts[(slot + buckets) % counts.length] ?? 0);
    this.current -= buckets;
    this.oldest -= buckets;
  }
}

/**
 * Permits that bound how many jobs are worked on concurrently. A job that waits for its platform releases its permit
 * to others, and queues for a permit again when there is work to do.
 */
import { SEATS } from '../domain/work-bounds.js';

export class Seats {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(seats: number = SEATS) {
    this.free = seats;
  }

  /** Waits for a permit, after those that wait already. */
  async take(): Promise<Seat> {
    const seat = new Seat(this);
    await this.sit();
    return seat;
  }

  /** Only for `Seat`. */
  async sit(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  /** Only for `Seat`. */
  rise(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}

export class Seat {
  constructor(private readonly seats: Seats) {}

  /** Releases the permit for good. */
  leave(): void {
    this.seats.rise();
  }

  /** Waits for something without the permit, and acquires one again afterwards. */
  async without<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.seats.rise();
    try {
      return await wait();
    } finally {
      await this.seats.sit();
    }
  }
}

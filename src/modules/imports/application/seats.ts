/**
 * Seats at the table where jobs are worked on. Whoever waits for a platform stands up, so that the others get on, and
 * queues for a seat again when there is something to do.
 */
import { SEATS } from '../domain/work-bounds.js';

export class Seats {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(seats: number = SEATS) {
    this.free = seats;
  }

  /** Waits for a seat, behind those who wait already. */
  async take(): Promise<Seat> {
    const seat = new Seat(this);
    await this.sit();
    return seat;
  }

  /** For seats alone. */
  async sit(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  /** For seats alone. */
  rise(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}

export class Seat {
  constructor(private readonly seats: Seats) {}

  /** Gives it back for good. */
  leave(): void {
    this.seats.rise();
  }

  /** Waits for something without the seat, and has one again when that is over. */
  async without<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.seats.rise();
    try {
      return await wait();
    } finally {
      await this.seats.sit();
    }
  }
}

/**
 * The product's clock. Waits, schedules, windows, throttles and attribution read only this clock, so that tests can set
 * it and `CLOCK_SPEED` can accelerate it. Credentials and HTTP use real time. This is an abstract class, not an
 * interface, so that it can serve as a dependency injection token.
 */
export abstract class Clock {
  /** The current product time. */
  abstract now(): Date;

  /** Converts a moment of real time, in milliseconds since 1970, to product time. */
  abstract momentAt(real: number): Date;

  /**
   * The product time after this number of milliseconds of real time. Polling intervals and leases use it, because an
   * accelerated clock must still leave time for the work.
   */
  afterRealTime(milliseconds: number): Date {
    return new Date(this.now().getTime() + milliseconds);
  }

  /**
   * Resolves when the product's clock reaches `moment` or when `signal` aborts, whichever comes first. Never rejects.
   */
  abstract sleepUntil(moment: Date, signal: AbortSignal): Promise<void>;
}

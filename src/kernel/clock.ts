/**
 * The product's clock: waits, schedules, windows, throttles and attribution read it and nothing else, so that
 * tests can wind it and `CLOCK_SPEED` can make it run fast. Credentials and HTTP are checked against real time.
 * Abstract class, not interface, so that it can be a dependency-injection token.
 */
export abstract class Clock {
  /** The product's present moment. */
  abstract now(): Date;

  /** The product's moment at a moment of real time, in milliseconds since 1970. */
  abstract momentAt(real: number): Date;

  /**
   * The product's moment in so many milliseconds of real time: for polling and leases, between which a fast clock must leave
   * time for the work.
   */
  afterRealTime(milliseconds: number): Date {
    return new Date(this.now().getTime() + milliseconds);
  }

  /**
   * Resolves when the product's clock has reached `moment`, or when `signal` aborts, whichever is first.
   * Never rejects.
   */
  abstract sleepUntil(moment: Date, signal: AbortSignal): Promise<void>;
}

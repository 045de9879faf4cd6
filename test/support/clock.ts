/** A product clock that does not move until a test advances it. */
import { Clock } from '../../src/kernel/clock.js';
import { uuidv7 } from '../../src/kernel/uuid.js';

/** A Monday. */
const START = new Date('2026-03-02T09:00:00.000Z');

export class ManualClock extends Clock {
  private readonly sleepers = new Set<() => void>();

  constructor(private present: Date = START) {
    super();
    this.restartIds();
  }

  /** Jumps to the next year in which the start date falls on the same weekday. */
  beginAnew(): void {
    const next = new Date(START);
    while (next <= this.present || next.getUTCDay() !== START.getUTCDay())
      next.setUTCFullYear(next.getUTCFullYear() + 1);
    this.wind(next.getTime() - this.present.getTime());
    this.restartIds();
  }

  /**
   * Ids keep the latest time of a clock that is less than a minute ahead. An earlier file may have left such a clock:
   * an id of two minutes ago makes them follow this one.
   */
  private restartIds(): void {
    uuidv7(this.present.getTime() - 2 * MINUTE);
  }

  override now(): Date {
    return new Date(this.present);
  }

  override momentAt(real: number): Date {
    return new Date(this.present.getTime() - (Date.now() - real));
  }

  /** Moves the clock forward by this many milliseconds and wakes the waits that have become due. */
  wind(milliseconds: number): void {
    this.present = new Date(this.present.getTime() + milliseconds);
    for (const look of [...this.sleepers]) look();
  }

  override async sleepUntil(moment: Date, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.present < moment && !signal.aborted) return;
        this.sleepers.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.sleepers.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }
}

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

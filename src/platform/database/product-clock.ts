/**
 * The product's clock of a running installation. At speed 1 it is real time. At another speed it runs that many times
 * faster from an anchor in the database, so that all processes read the same time and a restart continues it.
 */
import type { DataSource } from 'typeorm';
import { Clock } from '../../kernel/clock.js';

/** The maximum delay of a Node timer in milliseconds. */
const MAX_TIMER_MS = 2_147_483_647;

export class ProductClock extends Clock {
  constructor(
    private readonly realAnchor: number,
    private readonly productAnchor: number,
    readonly speed: number,
  ) {
    super();
  }

  override now(): Date {
    return this.momentAt(Date.now());
  }

  override momentAt(real: number): Date {
    return new Date(this.productAnchor + (real - this.realAnchor) * this.speed);
  }

  override afterRealTime(milliseconds: number): Date {
    return new Date(this.now().getTime() + milliseconds * this.speed);
  }

  override async sleepUntil(moment: Date, signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = (moment.getTime() - this.now().getTime()) / this.speed;
      if (left <= 0 || signal.aborted) return;
      await pause(Math.min(Math.ceil(left), MAX_TIMER_MS), signal);
    }
  }
}

/** The clock as set by the service that started last, for read-only observers. Never changes its speed. */
export async function followProductClock(source: DataSource): Promise<ProductClock> {
  const [row] = await source.query<(Anchor & { speed: number })[]>(
    'SELECT real_anchor, product_anchor, speed FROM product_clock',
  );
  return row ? clockOf(row, row.speed) : new ProductClock(0, 0, 1);
}

/** Reads or creates the anchor for the given speed. Run it once at the start of each service process. */
export async function openProductClock(source: DataSource, speed: number): Promise<ProductClock> {
  if (speed === 1) {
    // Delete the anchor, so that a fast clock started later begins at real time and not at a time long past.
    await source.query('DELETE FROM product_clock');
    return new ProductClock(0, 0, 1);
  }
  const real = Date.now();
  // With the same speed the anchor stays. With another, the clock continues from the time that the old speed reached.
  const [row] = await source.query<Anchor[]>(
    `INSERT INTO product_clock AS c (id, real_anchor, product_anchor, speed) VALUES (1, $1, $1, $2)
     ON CONFLICT (id) DO UPDATE SET
       product_anchor = CASE WHEN c.speed = $2 THEN c.product_anchor
         ELSE c.product_anchor + ($1 - c.real_anchor) * c.speed END,
       real_anchor = CASE WHEN c.speed = $2 THEN c.real_anchor ELSE $1 END,
       speed = $2
     RETURNING real_anchor, product_anchor`,
    [new Date(real), speed],
  );
  if (!row) throw new Error('The product clock could not be read.');
  return clockOf(row, speed);
}

/** A pair of equal moments in real time and on the product's clock. */
interface Anchor {
  readonly real_anchor: Date;
  readonly product_anchor: Date;
}

function clockOf({ real_anchor: real, product_anchor: product }: Anchor, speed: number): ProductClock {
  return new ProductClock(real.getTime(), product.getTime(), speed);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}

/**
 * The accelerated clock's anchor in the database: shared by processes, kept across restarts, and removed after a
 * period of real time.
 */
import { DataSource } from 'typeorm';
import { appOptions } from '../../src/platform/database/data-source.js';
import { followProductClock, openProductClock } from '../../src/platform/database/product-clock.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const HOUR = 3_600_000;
let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  source = await new DataSource(appOptions(database.adminUrl, SCHEMA, 2)).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

/** Moves the anchor into the past, as if the clock had been started that long ago. */
const startedAgo = (milliseconds: number): Promise<unknown> =>
  source.query(
    `UPDATE product_clock SET real_anchor = real_anchor - $1 * interval '1 millisecond',
       product_anchor = product_anchor - $1 * interval '1 millisecond'`,
    [milliseconds],
  );
/** Hours ahead of real time; `+ 0` turns -0 into 0. */
const ahead = (now: Date): number => Math.round((now.getTime() - Date.now()) / HOUR) + 0;

test('every process and every restart of one speed reads the same clock', async () => {
  expect(ahead((await openProductClock(source, 25)).now())).toBe(0);
  await startedAgo(HOUR);
  expect(ahead((await openProductClock(source, 25)).now())).toBe(24);
  expect(ahead((await openProductClock(source, 25)).now())).toBe(24);
});

test('another speed goes on from where the clock is', async () => {
  expect(ahead((await openProductClock(source, 10)).now())).toBe(24);
});

test('who follows it reads the same clock, and leaves it to those who run it', async () => {
  expect(ahead((await followProductClock(source)).now())).toBe(24);
  expect(ahead((await openProductClock(source, 10)).now())).toBe(24);
});

test('at speed 1 it is real time, and a fast clock that is started later begins there', async () => {
  expect(ahead((await openProductClock(source, 1)).now())).toBe(0);
  expect(ahead((await openProductClock(source, 10)).now())).toBe(0);
});

test('a moment of real time is a moment of the product, however long ago', async () => {
  const clock = await openProductClock(source, 10);
  expect(clock.now().getTime() - clock.momentAt(Date.now() - HOUR).getTime()).toBeGreaterThan(9 * HOUR);
  const real = await openProductClock(source, 1);
  expect(real.momentAt(1_772_442_000_123)).toEqual(new Date(1_772_442_000_123));
});

test('who follows none is in real time, and starts none', async () => {
  await openProductClock(source, 1);
  expect((await followProductClock(source)).speed).toBe(1);
  expect(await source.query('SELECT count(*)::int AS clocks FROM product_clock')).toEqual([{ clocks: 0 }]);
});

test('so much real time is as many times as much on a fast clock', async () => {
  for (const [speed, milliseconds] of [
    [1, 1_000],
    [3_600, 3_600_000],
  ] as const) {
    const clock = await openProductClock(source, speed);
    const before = clock.now().getTime();
    expect(clock.afterRealTime(1_000).getTime()).toBeGreaterThanOrEqual(before + milliseconds);
    expect(clock.afterRealTime(1_000).getTime() - clock.now().getTime()).toBeLessThanOrEqual(milliseconds);
  }
});

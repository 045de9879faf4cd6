/** Section 8.1: never more than the limit in any stretch of a window's length, and no longer a wait than needed. */
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.js';

const MINUTE = 60_000;
const BUCKET = MINUTE / 240;

/** Lets requests pass while fewer than `limit` are in the window; says of each whether it passed. */
function passing(arrivals: readonly number[], limit: number): boolean[] {
  const window = new SlidingWindow(MINUTE);
  return arrivals.map((now) => {
    if (window.used(now) >= limit) return false;
    window.add(now);
    return true;
  });
}

const arrivalsOf = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 90_000 }),
    ),
    {
      maxLength: 400,
    },
  )
  .map((gaps) => {
    let now = 1_700_000_000_000;
    return gaps.map((gap) => (now += gap));
  });

describe('a sliding window', () => {
  test('never lets more than the limit pass in any minute', () => {
    fc.assert(
      fc.property(arrivalsOf, fc.integer({ min: 1, max: 30 }), (arrivals, limit) => {
        const verdicts = passing(arrivals, limit);
        const passed = arrivals.filter((_, i) => verdicts[i]);
        passed.forEach((start, i) => {
          const inMinute = passed.slice(i).filter((moment) => moment < start + MINUTE).length;
          expect(inMinute).toBeLessThanOrEqual(limit);
        });
      }),
    );
  });

  test('refuses nobody whose last minute and bucket have room', () => {
    fc.assert(
      fc.property(arrivalsOf, fc.integer({ min: 1, max: 30 }), (arrivals, limit) => {
        const verdicts = passing(arrivals, limit);
        arrivals.forEach((now, i) => {
          if (verdicts[i]) return;
          const held = arrivals.filter((moment, j) => j < i && verdicts[j] && moment > now - MINUTE - BUCKET);
          expect(held.length).toBe(limit);
        });
      }),
    );
  });

  test('says when the oldest request leaves, and it does', () => {
    const window = new SlidingWindow(MINUTE);
    window.add(1_000_000);
    window.add(1_030_000);
    const frees = window.freesAt(1_030_000);
    expect(frees).toBeGreaterThanOrEqual(1_060_000);
    expect(frees).toBeLessThanOrEqual(1_060_000 + BUCKET);
    expect(window.used(frees - 1)).toBe(2);
    expect(window.used(frees)).toBe(1);
    expect(window.used(frees + 30_000)).toBe(0);
  });

  test('is empty after a long pause, and survives a clock that steps back', () => {
    const window = new SlidingWindow(MINUTE);
    window.add(5_000_000);
    window.add(4_000_000);
    expect(window.used(5_000_000)).toBe(2);
    expect(window.used(900_000_000)).toBe(0);
    expect(window.freesAt(900_000_000)).toBe(900_000_000);
  });
});

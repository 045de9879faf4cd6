/** Section 8.1: never more than the limit in any interval of a window's length, and no longer a wait than necessary. */
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.js';

const MINUTE = 60_000;
const BUCKET = MINUTE / 240;

/** Lets requests pass while fewer than `limit` are in the window; returns for each whether it passed. */
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

  describe.each([
    ['at the beginning', 0],
    ['in the middle', 100],
    ['at the end', BUCKET - 1],
  ])('keeps a request that came %s of a bucket', (_, offset) => {
    const start = 1_000_000;
    const leaves = start + BUCKET + MINUTE;

    test.each([
      ['after a pause', MINUTE],
      ['bucket by bucket', BUCKET],
    ])('until its bucket ended a minute ago, asked %s', (__, step) => {
      const window = new SlidingWindow(MINUTE);
      window.add(start + offset);
      for (let now = start + step; now < leaves; now += step) expect(window.used(now)).toBe(1);
      expect(window.used(leaves - 1)).toBe(1);
      expect(window.freesAt(leaves - 1)).toBe(leaves);
      expect(window.used(leaves)).toBe(0);
    });
  });

  test('says when the oldest request leaves once newer ones have taken the place of older ones', () => {
    const window = new SlidingWindow(MINUTE);
    window.add(0);
    window.add(100 * BUCKET);
    window.add(MINUTE + BUCKET);
    expect(window.used(MINUTE + BUCKET)).toBe(2);
    expect(window.freesAt(MINUTE + BUCKET)).toBe(101 * BUCKET + MINUTE);
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

  test.each([MINUTE + 2 * BUCKET, 10 * MINUTE, 365 * 24 * 60 * MINUTE])(
    'that was filled by a clock that was %d ms ahead is empty a minute and a bucket after it was set back',
    (ahead) => {
      const now = 1_700_000_000_000;
      const window = new SlidingWindow(MINUTE);
      for (let n = 0; n < 5; n++) window.add(now + ahead);
      expect(window.used(now)).toBe(5);
      expect(window.freesAt(now)).toBe(now + MINUTE + BUCKET);
      window.add(now);
      expect(window.used(now + MINUTE)).toBe(6);
      expect(window.used(now + MINUTE + BUCKET)).toBe(0);
    },
  );

  test('is empty after a long pause, and survives a clock that steps back', () => {
    const window = new SlidingWindow(MINUTE);
    window.add(5_000_000);
    window.add(4_990_000);
    expect(window.used(5_000_000)).toBe(2);
    expect(window.used(900_000_000)).toBe(0);
    expect(window.freesAt(900_000_000)).toBe(900_000_000);
  });
});

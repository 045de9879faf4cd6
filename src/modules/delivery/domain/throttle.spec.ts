import { HOUR, DAY } from '../../../kernel/duration.js';
import { freeSlots, MAX_PERIOD_MS, throttleKey, nextCheckAt, periodOf, slotToWaitFor } from './throttle.js';

const NOW = new Date('2026-06-01T12:00:00.000Z');
const hourly = (limit: number) => ({ limit, period: 'hour' }) as const;

test('a slot is used for an hour or a day, and each limit is counted by itself', () => {
  expect([periodOf(hourly(5)), periodOf({ limit: 5, period: 'day' }), MAX_PERIOD_MS]).toEqual([
    HOUR,
    DAY,
    DAY,
  ]);
  const names = [hourly(5), hourly(6), { limit: 5, period: 'day' } as const].map(throttleKey);
  expect(new Set(names).size).toBe(3);
});

test.each([
  [0, 0, 3],
  [1, 1, 1],
  [1, 2, 0],
  // The limit was lowered in the meantime.
  [3, 2, 0],
])('of three slots, %i used and %i claimed: %i are free', (used, inHand, free) => {
  expect(freeSlots(hourly(3), { used, inHand })).toBe(free);
});

test.each([
  [0, 3],
  [2, 1],
  [3, undefined],
  [4, undefined],
])('with %i of three slots claimed, the queue waits for used slot %s from the last', (inHand, slot) => {
  expect(slotToWaitFor(hourly(3), { inHand })).toBe(slot);
});

test.each([
  ['while messages are claimed', 10, null, 2_000],
  ['while messages are claimed, with a large limit', 100_000, null, 10_000],
  ['while messages are claimed, with the largest limits', 1_000_000, null, 15_000],
  ['until a slot opens', 10, 500, 500],
  ['until a slot opens, of a large limit', 10_000, 500, 1_000],
  ['a slot opens in an hour', 10, HOUR, 15_000],
  ['a slot opens now', 15, 0, 2],
  ['a slot has opened already', 1, -500, 1],
])('a line is looked at next, %s', (_, limit, opensIn, pause) => {
  const opensAt = opensIn === null ? null : new Date(NOW.getTime() + opensIn);
  expect(nextCheckAt(hourly(limit), opensAt, NOW).getTime() - NOW.getTime()).toBe(pause);
});

/** Tests when segments are refreshed. */
import { nextRefresh } from './next-refresh.js';

const START = new Date('2026-03-02T09:00:00.000Z');
const after = (seconds: number): Date => new Date(START.getTime() + seconds * 1_000);
const LONG_AGO = after(-86_400);

test.each([
  ['hourly', 0, LONG_AGO, false, 3_600],
  ['every five minutes where time changes who is in', 0, LONG_AGO, true, 300],
  ['in a minute when the segment was just changed', 0, START, false, 60],
  ['in a minute when it was changed within one', 0, after(-59), true, 60],
  ['as usual when it was changed a minute ago', 0, after(-60), false, 3_600],
  ['later when it took long', 30, LONG_AGO, true, 630],
  ['as usual when it took not too long', 15, LONG_AGO, true, 315],
])('%s', (_, took, changedAt, isTimeDependent, seconds) =>
  expect(nextRefresh({ startedAt: START, endedAt: after(took), changedAt, isTimeDependent })).toEqual(
    after(seconds),
  ),
);

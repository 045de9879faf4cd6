/**
 * How long to wait for a platform: what it requests, within limits, and growing waits if its answer cannot be read.
 */
import { waitAfterFailure, waitAfterRateLimit } from './platform-waits.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const EPOCH = NOW.getTime() / 1_000;

test.each<[string, Record<string, string>, number]>([
  ['seconds', { 'retry-after': '7' }, 7 * SECOND],
  ['parts of a second', { 'retry-after': '1.5' }, 1_500],
  ['no time at all', { 'retry-after': '0' }, 250],
  ['a date of HTTP', { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }, 20 * SECOND],
  [
    'a date, counted from the one of the answer',
    { 'retry-after': 'Sun, 01 Mar 2026 11:00:20 GMT', date: 'Sun, 01 Mar 2026 11:00:00 GMT' },
    20 * SECOND,
  ],
  ['a date that is over', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 250],
  ['a date in a far time', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, HOUR],
  ['a day', { 'retry-after': '86400' }, HOUR],
  ['very many seconds', { 'retry-after': '999999999' }, HOUR],
  ['the moment at which a limit is reset', { 'x-ratelimit-reset': String(EPOCH + 9) }, 9 * SECOND],
  ['that moment in milliseconds', { 'x-ratelimit-reset': String(NOW.getTime() + 9_000) }, 9 * SECOND],
  ['a reset in so many seconds', { 'x-ratelimit-reset': '9' }, 9 * SECOND],
  ['a reset that is over', { 'x-ratelimit-reset': String(EPOCH - 100) }, 250],
  ['the header of Braze', { 'x-ratelimit-retry-after': '12' }, 12 * SECOND],
  ['two headers', { 'retry-after': '3', 'x-ratelimit-reset': String(EPOCH + 9) }, 3 * SECOND],
  [
    'one that cannot be read and one that can',
    { 'retry-after': 'soon', 'x-ratelimit-reset': '9' },
    9 * SECOND,
  ],
])('after %s', (_name, headers, expected) => {
  expect(waitAfterRateLimit(headers, 1, NOW)).toBe(expected);
  // The number of earlier refusals does not matter unless it is very high.
  expect(waitAfterRateLimit(headers, 10, NOW)).toBe(expected);
});

test.each([
  '1e99',
  '-1',
  '-1e99',
  'NaN',
  'Infinity',
  '',
  ' ',
  '0x10',
  '1,2',
  '9'.repeat(40),
  'Sun, 99 Foo 2026 99:99:99 GMT',
  '2027-01-01T00:00:00Z',
  `Sun, ${'0'.repeat(80)}`,
])('nothing is read from “%s”: waits grow', (text) => {
  for (const name of ['retry-after', 'x-ratelimit-reset', 'x-ratelimit-retry-after'])
    expect(waitAfterRateLimit({ [name]: text }, 3, NOW)).toBe(4 * SECOND);
});

test('waits grow to two minutes, and no further', () => {
  expect([1, 2, 3, 6, 8, 100, 1e9].map((times) => waitAfterRateLimit({}, times, NOW) / SECOND)).toEqual([
    1, 2, 4, 32, 120, 120, 120,
  ]);
});

test('a platform that says “at once” for ever is asked less and less', () => {
  const waits = [10, 11, 12, 20].map((times) => waitAfterRateLimit({ 'retry-after': '0' }, times, NOW));
  expect(waits).toEqual([250, SECOND, 2 * SECOND, 120 * SECOND]);
});

test('waits after failures grow, and none is longer than a turn sits out', () => {
  expect([1, 2, 3, 4, 5, 50].map((failures) => waitAfterFailure({}, failures, NOW))).toEqual([
    ...[500, 1_000, 2_000, 4_000, 8_000, 30_000],
  ]);
  expect(waitAfterFailure({ 'retry-after': '5' }, 1, NOW)).toBe(5_000);
  expect(waitAfterFailure({ 'retry-after': '999999' }, 1, NOW)).toBe(30_000);
  expect(waitAfterFailure({ 'retry-after': '1e99' }, 1, NOW)).toBe(500);
  // Rate-limit headers that are sent with every answer do not apply to a failure.
  expect(waitAfterFailure({ 'x-ratelimit-reset': String(EPOCH + 9) }, 1, NOW)).toBe(500);
  expect(waitAfterFailure({ 'x-ratelimit-retry-after': '9' }, 2, NOW)).toBe(1_000);
});

import { parseDuration } from './duration.js';

test.each<[unknown, number | undefined]>([
  ['1h', 3_600_000],
  ['36h', 129_600_000],
  ['2d', 172_800_000],
  ['3650d', 315_360_000_000],
  ['3651d', undefined],
  ['0h', undefined],
  ['-1h', undefined],
  ['1.5h', undefined],
  ['1m', 60_000],
  ['5256000m', 315_360_000_000],
  ['5256001m', undefined],
  ['1s', undefined],
  ['1M', undefined],
  ['01h', 3_600_000],
  ['h', undefined],
  [' 1h', undefined],
  ['1H', undefined],
  ['', undefined],
  [1, undefined],
  [null, undefined],
])('parseDuration(%j) is %s', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

/** Tests which data is a date, and which fields a date pattern writes. */
import { datePatternFormatter, isDatePattern } from './date-pattern.js';
import { momentFrom } from './moment.js';

const iso = (value: unknown): string => {
  const moment = momentFrom(value);
  if (moment === undefined) return 'none';
  const text = new Date(moment.instant).toISOString();
  return moment.precision === 'day' ? text.slice(0, 10) : text;
};

test.each<[unknown, string]>([
  ['2026-05-01', '2026-05-01'],
  [' 2026-05-01 ', '2026-05-01'],
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', 'none'],
  ['2026-13-01', 'none'],
  ['2026-00-10', 'none'],
  ['2026-05-00', 'none'],
  ['2026-05-01T10:20', '2026-05-01T10:20:00.000Z'],
  ['2026-05-01 10:20:30', '2026-05-01T10:20:30.000Z'],
  ['2026-05-01T10:20:30.123456Z', '2026-05-01T10:20:30.123Z'],
  ['2026-05-01T10:20:30+02:00', '2026-05-01T08:20:30.000Z'],
  ['2026-05-01T10:20:30-0530', '2026-05-01T15:50:30.000Z'],
  ['2026-05-01T10:20:30+02', '2026-05-01T08:20:30.000Z'],
  ['2026-05-01T25:00', 'none'],
  ['2026-05-01T10:61', 'none'],
  ['01.05.2026', 'none'],
  ['May 1, 2026', 'none'],
  ['2026', 'none'],
  ['', 'none'],
  ['1777588200', '2026-04-30T22:30:00.000Z'],
  ['1777588200000', '2026-04-30T22:30:00.000Z'],
  [1777588200, '2026-04-30T22:30:00.000Z'],
  [1777588200000, '2026-04-30T22:30:00.000Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  [1e300, 'none'],
  [Number.NaN, 'none'],
  [new Date('2026-05-01T00:00:00Z'), '2026-05-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'none'],
  [true, 'none'],
  [null, 'none'],
  [['2026-05-01'], 'none'],
])('%j is %s', (value, expected) => {
  expect(iso(value)).toBe(expected);
});

const instant = Date.parse('2026-02-03T14:05:06.078Z');
const free = { spend: () => undefined, spendOn: () => undefined };
const berlin = { locale: 'en-US', timeZone: 'Europe/Berlin' };

test.each([
  ['y yy yyyy', '2026 26 2026'],
  ['M MM MMM MMMM MMMMM', '2 02 Feb February F'],
  ['L LL LLL LLLL', '2 02 Feb February'],
  ['d dd', '3 03'],
  ['E EEE EEEE EEEEE', 'Tue Tue Tuesday T'],
  ['H HH h hh K k a', '15 15 3 03 3 15 PM'],
  ['m mm s ss S SS SSS', '5 05 6 06 0 07 078'],
  ['x xx xxx X XXX Z', '+01 +0100 +01:00 +01 +01:00 +0100'],
  ['z', 'GMT+1'],
  ['zzzz', 'Central European Standard Time'],
  ['Q QQ QQQ', '1 01 Q1'],
  ["yyyy'T'HH", '2026T15'],
  ["h 'o''clock'", "3 o'clock"],
  ["d''M", "3'2"],
  ['d. M. yyyy', '3. 2. 2026'],
])('%s writes %s', (pattern, expected) => {
  expect(isDatePattern(pattern)).toBe(true);
  expect(datePatternFormatter(pattern)(instant, berlin, free)).toBe(expected);
});

test.each(['', ' ', '2026', "'d'", 'DD', 'YYYY', 'ddd', 'date please', 'o', 'yyyyy'])(
  '%j is no date pattern',
  (pattern) => {
    expect(isDatePattern(pattern)).toBe(false);
  },
);

test.each([
  ['midnight is 12 and 24', 'h k H', '2026-05-01T22:00:00Z', '12 24 0'],
  ['noon is 12', 'h K', '2026-05-01T10:00:00Z', '12 0'],
  ['before Christ', 'y', '-000001-06-01T00:00:00Z', '-1'],
  ['before 1970', 'yyyy-MM-dd HH:mm:ss.SSS', '1969-12-31T22:59:59.999Z', '1969-12-31 23:59:59.999'],
  ['summer time', 'HH:mm xxx', '2026-07-01T10:00:00Z', '12:00 +02:00'],
])('%s', (_name, pattern, when, expected) => {
  expect(datePatternFormatter(pattern)(Date.parse(when), berlin, free)).toBe(expected);
});

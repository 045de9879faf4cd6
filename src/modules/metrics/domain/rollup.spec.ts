import fc from 'fast-check';
import { DAY, HOUR } from '../../../kernel/duration.js';
import { partsOf, type PeriodParts, type Span } from './rollup.js';

const START = Date.UTC(2026, 2, 1);
const at = (milliseconds: number): Date => new Date(START + milliseconds);

test.each<[string, number, number, [number, number, number]]>([
  ['a whole day', 0, DAY - 1, [1, 0, 0]],
  ['a whole hour', HOUR, 2 * HOUR - 1, [0, 1, 0]],
  ['less than an hour', 5, HOUR - 7, [0, 0, 1]],
  ['two hours from the middle of one', HOUR / 2, 2 * HOUR + HOUR / 2, [0, 1, 2]],
  ['three days from and to the middle of an hour', HOUR / 2, 3 * DAY + HOUR / 2, [1, 1, 2]],
  ['one moment', 5, 5, [0, 0, 1]],
])('%s', (_, from, to, expected) => {
  const { days, hours, rest } = partsOf({ from: at(from), to: at(to) });
  expect([days.length, hours.length, rest.length]).toEqual(expected);
});

test('parts follow one another without gap or overlap, days and hours are whole, and less than two hours is left', () => {
  const moment = fc.integer({ min: -3 * DAY, max: 5 * DAY });
  fc.assert(
    fc.property(moment, moment, fc.boolean(), (one, other, byHour) => {
      const [from, to] = [at(Math.min(one, other)), at(Math.max(one, other))];
      const parts = partsOf({ from, to }, byHour);
      const all = inOrder(parts);
      expect(all[0]?.from).toEqual(from);
      expect(all.at(-1)?.until.getTime()).toBe(to.getTime() + 1);
      for (const [i, { until }] of all.slice(0, -1).entries()) expect(all[i + 1]?.from).toEqual(until);
      expect(parts.days.every((span) => isWhole(span, DAY))).toBe(true);
      expect(parts.hours.every((span) => isWhole(span, HOUR))).toBe(true);
      expect(lengthOf(parts.rest)).toBeLessThan(2 * HOUR);
      if (byHour) expect(parts.days).toEqual([]);
      else expect(lengthOf(parts.hours)).toBeLessThan(2 * DAY);
    }),
  );
});

function inOrder({ days, hours, rest }: PeriodParts): Span[] {
  return [...days, ...hours, ...rest].sort((one, other) => one.from.getTime() - other.from.getTime());
}

function isWhole({ from, until }: Span, unit: number): boolean {
  return from < until && from.getTime() % unit === 0 && until.getTime() % unit === 0;
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, until }) => sum + until.getTime() - from.getTime(), 0);
}

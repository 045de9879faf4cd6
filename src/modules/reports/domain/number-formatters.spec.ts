import fc from 'fast-check';
import { formatChange, formatMetricValue, formatCompact, tickLabels } from './number-formatters.js';

test.each([
  [0, 'number', '0', '0'],
  [-0, 'number', '0', '0'],
  [Number.NaN, 'number', '0', '0'],
  [999, 'number', '999', '999'],
  [12_480, 'number', '12,480', '12.5k'],
  [-1_500, 'number', '-1,500', '-1.5k'],
  [999_999, 'number', '999,999', '1M'],
  [2_500_000, 'number', '2,500,000', '2.5M'],
  [7_300_000_000, 'number', '7,300,000,000', '7.3B'],
  [43.2, 'percent', '43.20%', '43.2%'],
  [0.05, 'percent', '0.05%', '0.05%'],
  [100, 'percent', '100.00%', '100%'],
  [12.5, 'hours', '12.5 h', '12.5 h'],
  [3, 'hours', '3.0 h', '3 h'],
] as const)('%d as %s is %s, and in short %s', (value, format, full, short) => {
  expect([formatMetricValue(value, format), formatCompact(value, format)]).toEqual([full, short]);
});

test.each([
  [12.54, '▲ 12.5%', 'up by 12.5%', 'up'],
  [-3, '▼ 3%', 'down by 3%', 'down'],
  [0, 'no change', 'no change', 'same'],
  [0.04, 'no change', 'no change', 'same'],
  [12_345.6, '▲ 12,345.6%', 'up by 12,345.6%', 'up'],
  [null, 'no previous data', 'no previous data', 'none'],
] as const)('a change of %p is %s', (change, text, words, direction) => {
  expect(formatChange(change)).toEqual({ text, words, direction });
});

test('what nobody measured is a dash, and nothing to compare with', () => {
  expect(formatMetricValue(null, 'percent')).toBe('–');
  expect(formatChange(null, false)).toEqual({
    ...{ direction: 'none', text: 'not measured before', words: 'not measured before' },
  });
});

test.each([
  [
    [0, 500, 1_000],
    ['0', '500', '1k'],
  ],
  [
    [10_000, 10_050, 10_100],
    ['10k', '10.05k', '10.1k'],
  ],
  [
    [1_000_000, 1_000_500],
    ['1M', '1.0005M'],
  ],
  [
    [0, 0.05, 0.1],
    ['0', '0.05', '0.1'],
  ],
])('ticks %j are labelled %j', (ticks, labels) => expect(tickLabels(ticks, 'number')).toEqual(labels));

test('different ticks never have the same label', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 1e6 }), (from, step) => {
      const ticks = [0, 1, 2, 3, 4].map((index) => from + index * step);
      expect(new Set(tickLabels(ticks, 'number')).size).toBe(ticks.length);
    }),
  );
});

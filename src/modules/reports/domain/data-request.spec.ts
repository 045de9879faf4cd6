/** The period that a request covers, and which requests count as equal while time passes. */
import { DAY, MINUTE } from '../../../kernel/duration.js';
import { changeOf, percentOfChange } from './change.js';
import { csvLine, fileNameOf } from './csv-file.js';
import { resolveRange, type DataRequest } from './data-request.js';

const NOW = new Date('2026-03-02T23:58:00.000Z');
const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * MINUTE);
const named = (asked: DataRequest, now = NOW): string => resolveRange(asked, '7d', now).cacheKey;

test('a preset, or the report’s own, or dates without one', () => {
  expect(resolveRange({}, '7d', NOW).range).toEqual({
    preset: '7d',
    from: new Date(NOW.getTime() - 7 * DAY),
    to: NOW,
  });
  expect(resolveRange({ dateRange: 'today' }, '7d', NOW).range.preset).toBe('today');
  expect(resolveRange({ dateRange: '1d', toDate: '2026-03-01' }, '7d', NOW).range).toEqual({
    preset: null,
    from: new Date('2026-03-01T00:00:00.000Z'),
    to: new Date('2026-03-01T23:59:59.999Z'),
  });
});

test.each([
  [{ dateRange: 'week' }],
  [{ dateRange: '' }],
  [{ dateRange: null }],
  [{ dateRange: 'week', fromDate: '2026-01-01' }],
])('%j names no preset', (asked) =>
  expect(() => resolveRange(asked, '7d', NOW)).toThrow(/date_range: must be one of/),
);

test('what moves with the time has one name, what does not has its own', () => {
  expect(named({}, later(3))).toBe(named({}));
  expect(named({ dateRange: '30d' })).not.toBe(named({}));
  expect(named({ fromDate: '2026-03-01' }, later(1))).toBe(named({ fromDate: '2026-03-01' }));
  expect(named({ fromDate: '2026-03-01' })).not.toBe(named({ fromDate: '2026-03-01', toDate: '2026-03-02' }));
  expect(named({ dateRange: '1d', toDate: '2026-03-01' })).not.toBe(
    named({ dateRange: '7d', toDate: '2026-03-01' }),
  );
});

test('a day is over at midnight, whatever is kept', () =>
  expect(named({ dateRange: 'yesterday' }, later(3))).not.toBe(named({ dateRange: 'yesterday' })));

test.each([
  [110, 100, 10],
  [0, 100, -100],
  [5, 0, null],
  [1, 3, -66.67],
  [10, -5, 300],
  [-10, -5, -100],
])('from what is before to %d: %d is %j percent', (now, before, percent) =>
  expect(percentOfChange(now, before)).toBe(percent),
);

test('changes are of each total', () =>
  expect(changeOf({ sent: 2, opened: 1 }, { sent: 1 })).toEqual({ sent: 100, opened: null }));

test.each([
  ['Crème "x"\r\n', 'creme-x-2026-03-01-to-2026-03-02.csv'],
  ['../../etc', 'etc-2026-03-01-to-2026-03-02.csv'],
  ['日本', 'report-2026-03-01-to-2026-03-02.csv'],
])('the file of %j', (name, file) =>
  expect(fileNameOf(name, { from: new Date('2026-03-01'), to: new Date('2026-03-02') })).toBe(file),
);

test('cells of a header are quoted where they must be', () =>
  expect(csvLine(['Date', 'a,b', 'c"d'])).toBe('Date,"a,b","c""d"\n'));

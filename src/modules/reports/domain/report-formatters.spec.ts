import {
  comparedByDay,
  DATE,
  emailsByDay,
  emailsByFlow,
  FLOW,
  OPEN_RATE,
  sampleData,
  SENT,
} from '../../../../test/support/report-samples.js';
import {
  formatAnomaly,
  formatRange,
  omissionNote,
  formatShortTime,
  tableOf,
  tilesOf,
  unmeasuredNote,
  formatDimensionValue,
} from './report-formatters.js';

test.each([
  ['2026-03-01T00:00:00Z', '2026-03-31T23:59:59.999Z', null, 'Mar 1 – 31, 2026'],
  ['2026-03-05T00:00:00Z', '2026-03-05T23:59:59.999Z', 'yesterday', 'Mar 5, 2026'],
  ['2025-12-30T00:00:00Z', '2026-01-05T23:59:59.999Z', null, 'Dec 30, 2025 – Jan 5, 2026'],
  ['2026-03-05T00:00:00Z', '2026-03-05T14:05:00Z', 'today', 'Mar 5, 2026, until 14:05 UTC'],
  ['2026-02-03T14:05:00Z', '2026-03-05T14:05:00Z', '30d', '30 days to Mar 5, 2026, 14:05 UTC'],
  ['2026-03-04T00:30:00Z', '2026-03-05T00:30:00Z', '1d', '24 hours to Mar 5, 2026, 00:30 UTC'],
  ['2026-03-04T06:30:00Z', '2026-03-05T00:30:00Z', null, 'Mar 4, 2026, 06:30 – Mar 5, 2026, 00:30 UTC'],
])('from %s to %s (%p) is %s', (from, to, preset, words) => {
  expect(formatRange({ from: new Date(from), to: new Date(to), preset })).toBe(words);
});

test.each([
  ['date', '2026-03-01', 'Mar 1, 2026', 'Mar 1'],
  ['week', '2026-03-02', 'Week of Mar 2, 2026', 'Mar 2'],
  ['month', '2026-03', 'March 2026', 'Mar'],
  ['hour', 7, '07:00', '07:00'],
  ['day_of_week', 6, 'Sunday', 'Sun'],
  ['date', '2026-99-99', '2026-99-99', null],
  ['event_name', '2026-03-01', '2026-03-01', null],
  ['locale', null, '(none)', null],
  ['locale', '', '(none)', null],
  ['flow_version', 3, '3', null],
  ['any', true, 'yes', null],
  ['flow', { id: null, name: 'Gone\r\nflow' }, 'Gone flow', null],
  ['flow', { id: 'x', name: '\u0000' }, '(unnamed)', null],
])('%s %j is %s', (key, value, words, short) => {
  expect([formatDimensionValue({ key }, value), formatShortTime(key, value)]).toEqual([words, short]);
});

test('tiles tell totals, and how they have changed', () => {
  const data = comparedByDay(7, { metrics: [SENT, OPEN_RATE] });
  const changed = {
    ...data,
    totals: { sent: 1_200, open_rate: 40 },
    comparison: {
      ...data.comparison!,
      totals: { sent: 1_000, open_rate: 0 },
      change: { sent: 20, open_rate: null },
    },
  };
  expect(tilesOf(changed)).toEqual([
    {
      label: 'Sent',
      value: '1,200',
      change: { direction: 'up', text: '▲ 20%', words: 'up by 20%' },
      before: '1,000',
      hint: null,
    },
    {
      label: 'Open rate',
      value: '40.00%',
      change: { direction: 'none', text: 'no previous data', words: 'no previous data' },
      before: null,
      hint: null,
    },
  ]);
  expect(tilesOf({ ...changed, comparison: null })[0]).toMatchObject({ change: null, before: null });
});

test('a tile of what nobody measured is a dash with a hint, and of what was measured in part says so', () => {
  const data = comparedByDay(7, { metrics: [SENT, OPEN_RATE] });
  const { comparison } = data;
  const none = {
    ...data,
    totals: { sent: 1_200, open_rate: null },
    measured: { open_rate: { measured: 0, of: 1_200 } },
    comparison: { ...comparison!, change: { sent: 20, open_rate: null } },
  };
  expect(tilesOf(none)[1]).toEqual({
    ...{ label: 'Open rate', value: '–', hint: 'Not measured', change: null, before: null },
  });
  expect(unmeasuredNote(none)).toContain('– means not measured');
  const part = {
    ...data,
    totals: { sent: 1_200, open_rate: 40 },
    measured: { open_rate: { measured: 1_000, of: 1_200 } },
    comparison: {
      ...comparison!,
      totals: { sent: 1_000, open_rate: null },
      change: { sent: 20, open_rate: null },
    },
  };
  expect(tilesOf(part)[1]).toEqual({
    ...{ label: 'Open rate', value: '40.00%', hint: 'Measured for 1,000 of 1,200 messages' },
    change: { direction: 'none', text: 'not measured before', words: 'not measured before' },
    before: null,
  });
  expect(unmeasuredNote(data)).toBeNull();
});

test('a table has dimensions first, and says what it leaves out', () => {
  const data = emailsByDay(30);
  const table = tableOf(data, { rows: 2, columns: 3 });
  expect(table.columns.map(({ label, isFigure }) => [label, isFigure])).toEqual([
    ['Date', false],
    ['Sent', true],
    ['Opened', true],
  ]);
  expect(table.rows.map(([date]) => date)).toEqual(['Mar 1, 2026', 'Mar 2, 2026']);
  expect(omissionNote(table)).toBe('Shown: the first 2 rows of 30, and 1 fewer column than the report.');
  expect(omissionNote(tableOf(data, { rows: 30, columns: 9 }))).toBeNull();
  expect(omissionNote(tableOf({ ...data, truncated: true }, { rows: 30, columns: 9 }))).toBe(
    'Shown: the first 30 rows of more than 30.',
  );
});

test('what is unusual is told with its band', () => {
  const data = emailsByDay(7, { metrics: [SENT, OPEN_RATE] });
  const anomaly = { metric: 'open_rate', at: '2026-03-04', value: 20.5, low: 31, high: 42 };
  expect(formatAnomaly(data, anomaly)).toBe(
    'Open rate on Mar 4, 2026: 20.50%, below its usual 31.00% to 42.00%.',
  );
  expect(formatAnomaly(data, { ...anomaly, value: 90 })).toContain('90.00%, above its usual');
  const weekly = { ...data, dimensions: [{ ...DATE, key: 'week' }] };
  expect(formatAnomaly(weekly, { ...anomaly, at: '2026-03-02' })).toContain('in the week of Mar 2, 2026:');
});

test('a report of nothing has tiles of 0, and a table without rows', () => {
  const data = sampleData({ totals: {} });
  expect(tilesOf({ ...data, totals: { sent: 0 } }).map(({ value }) => value)).toEqual(['0']);
  expect(tableOf(data, { rows: 5, columns: 5 }).rows).toEqual([]);
  expect(tableOf(emailsByFlow(['A'], 0, { dimensions: [FLOW] }), { rows: 5, columns: 5 }).rows).toHaveLength(
    1,
  );
});

import { analysisRange } from './analysis-range.js';

const now = new Date('2026-03-02T09:00:00.000Z');

test.each([
  ['nothing', {}, '30d', '2026-01-31T09:00:00.000Z', now.toISOString()],
  ['a preset', { dateRange: '7d' }, '7d', '2026-02-23T09:00:00.000Z', now.toISOString()],
  [
    'two dates, whatever the preset',
    { dateRange: '7d', fromDate: '2026-01-01', toDate: '2026-01-31' },
    null,
    '2026-01-01T00:00:00.000Z',
    '2026-01-31T23:59:59.999Z',
  ],
  ['one date', { fromDate: '2026-01-01' }, null, '2026-01-01T00:00:00.000Z', now.toISOString()],
])('of %s', (_, asked, preset, from, to) =>
  expect(analysisRange(asked, now)).toEqual({ preset, from: new Date(from), to: new Date(to) }),
);

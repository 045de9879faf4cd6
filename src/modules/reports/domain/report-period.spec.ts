import { periodBefore, reportPeriod, analysisRange } from './report-period.js';

const range = (from: string, to: string): { from: Date; to: Date } => ({
  from: new Date(from),
  to: new Date(to),
});

test('a hundred years are a period, and more are none', () => {
  const century = range('1926-01-01T00:00:00Z', '2025-12-31T23:59:59.999Z');
  expect(reportPeriod(century)).toEqual(century);
  expect(() => reportPeriod(range('1920-01-01T00:00:00Z', '2026-01-01T00:00:00Z'))).toThrow(
    expect.objectContaining({ code: 'invalid_date_param' }),
  );
});

test('what follows upon a period is a date still', () => {
  const last = reportPeriod(range('9999-12-31T10:00:00Z', '9999-12-31T23:59:59.999Z'));
  expect(last.from <= last.to).toBe(true);
  expect(new Date(last.to.getTime() + 1).toISOString()).toBe('9999-12-31T00:00:00.000Z');
});

test('the period before is as long, and begins with the first date at the earliest', () => {
  expect(periodBefore(range('2026-03-08T00:00:00Z', '2026-03-14T23:59:59.999Z'))).toEqual(
    range('2026-03-01T00:00:00Z', '2026-03-07T23:59:59.999Z'),
  );
  expect(periodBefore(range('0001-01-03T00:00:00Z', '0001-01-10T23:59:59.999Z'))).toEqual(
    range('0001-01-01T00:00:00Z', '0001-01-02T23:59:59.999Z'),
  );
});

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

import { periodBefore, reportPeriod } from './report-period.js';

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

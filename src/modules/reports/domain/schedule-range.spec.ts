import fc from 'fast-check';
import { DATE_RANGE_TYPES, type DateRangeType } from './schedule.js';
import { scheduleRange } from './schedule-range.js';

test.each<[DateRangeType, string, string, string]>([
  ['previous_day', '2026-03-01T09:00:00Z', '2026-02-28', '2026-02-28'],
  ['previous_day', '2026-03-01T00:00:00Z', '2026-02-28', '2026-02-28'],
  ['previous_day', '2026-02-28T23:59:59.999Z', '2026-02-27', '2026-02-27'],
  ['previous_7d', '2026-03-02T09:00:00Z', '2026-02-23', '2026-03-01'],
  ['previous_30d', '2026-03-02T09:00:00Z', '2026-01-31', '2026-03-01'],
  ['previous_month', '2026-03-31T09:00:00Z', '2026-02-01', '2026-02-28'],
  ['previous_month', '2026-01-01T00:00:00Z', '2025-12-01', '2025-12-31'],
  ['previous_month', '2028-03-01T00:00:00Z', '2028-02-01', '2028-02-29'],
  ['mtd', '2026-03-02T09:00:00Z', '2026-03-01', '2026-03-01'],
  ['mtd', '2026-03-31T09:00:00Z', '2026-03-01', '2026-03-30'],
  // The new month has no completed day.
  ['mtd', '2026-03-01T09:00:00Z', '2026-02-01', '2026-02-28'],
  ['mtd', '2026-01-01T09:00:00Z', '2025-12-01', '2025-12-31'],
])('%s of %s is from %s to the end of %s', (type, at, from, to) => {
  expect(scheduleRange(type, new Date(at))).toEqual({
    preset: type,
    from: new Date(`${from}T00:00:00.000Z`),
    to: new Date(`${to}T23:59:59.999Z`),
  });
});

test('whenever it is: whole days, one at least, that are over', () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...DATE_RANGE_TYPES), moment, (type, at) => {
      const { from, to } = scheduleRange(type, at);
      expect(from.getTime() % 86_400_000).toBe(0);
      expect((to.getTime() + 1) % 86_400_000).toBe(0);
      expect(from < to && to < at).toBe(true);
      expect(at.getTime() - to.getTime()).toBeLessThanOrEqual(
        type === 'previous_month' ? 32 * 86_400_000 : 86_400_000,
      );
    }),
  );
});

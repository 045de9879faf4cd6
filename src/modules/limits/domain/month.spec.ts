import { monthOf } from './month.js';

test.each([
  ['2026-11-01T00:00:00.000Z', '2026-11-01'],
  ['2026-11-30T23:59:59.999Z', '2026-11-01'],
  ['2026-12-31T23:30:00.000-02:00', '2027-01-01'],
])('%s counts in the month of %s', (moment, month) => expect(monthOf(new Date(moment))).toBe(month));

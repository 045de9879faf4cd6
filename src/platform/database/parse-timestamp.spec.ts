import fc from 'fast-check';
import { parseWithDriver, parseTimestamp } from './parse-timestamp.js';
import { runs } from '../../../test/support/test-scope.js';

test('what the database writes of any moment is read as the driver reads it', () => {
  const fraction = fc.stringMatching(/^(\.\d{1,6})?$/);
  const zone = fc.constantFrom('+00', '+00', '+00', '+02', '-08', '+05:30');
  const moment = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, fraction, zone, (date, behind, offset) => {
      const text = `${date.toISOString().slice(0, 19).replace('T', ' ')}${behind}${offset}`;
      expect(parseTimestamp(text)).toEqual(parseWithDriver(text));
    }),
    { numRuns: runs(1_000) },
  );
});

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '12026-03-02 10:00:00.5+00',
  '2026-03-02 10:00:00',
])('what looks otherwise is left to the driver: %s', (text) =>
  expect(parseTimestamp(text)).toEqual(parseWithDriver(text)),
);

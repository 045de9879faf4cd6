import fc from 'fast-check';
import { EARLIEST_MOMENT, LATEST_MOMENT, readIsoMoment } from './iso-moment.js';

test.each<[string, string, string]>([
  ['2024-02-29', '2024-02-29T00:00:00.000Z', 'day'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z', 'day'],
  ['2026-03-01T09:30', '2026-03-01T09:30:00.000Z', 'local'],
  ['2026-03-01T09:30:15,123456789', '2026-03-01T09:30:15.123Z', 'local'],
  ['2026-03-01t09:30:15.5z', '2026-03-01T09:30:15.500Z', 'exact'],
  ['2026-03-01T00:30:00+0545', '2026-02-28T18:45:00.000Z', 'exact'],
  ['2026-02-28T22:30:00-03', '2026-03-01T01:30:00.000Z', 'exact'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', 'exact'],
])('%s is %s, %s', (text, moment, kind) =>
  expect(readIsoMoment(text)).toEqual({ start: Date.parse(moment), kind }),
);

test.each([
  '',
  '2026',
  '2026-02-29',
  '2026-02-30T00:00:00Z',
  '1900-02-29',
  '2026-04-31T09:00:00Z',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '0000-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01 00:00:00Z',
  '+002026-01-01',
])('%j is no moment', (text) => expect(readIsoMoment(text)).toBeUndefined());

test('every moment reads as it was written', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(EARLIEST_MOMENT), max: new Date(LATEST_MOMENT), noInvalidDate: true }),
      (date) => {
        expect(readIsoMoment(date.toISOString())).toEqual({ start: date.getTime(), kind: 'exact' });
      },
    ),
  );
});

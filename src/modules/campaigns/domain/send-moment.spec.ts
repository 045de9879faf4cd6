import fc from 'fast-check';
import { localMoment, sendMoment, sendDelayMs } from './send-moment.js';

const at = (wallClock: string | null, offset = 0) => ({ wallClock, offset, maxPerHour: null });
const shown = (wallClock: string, zone: string | null, offset = 0): string =>
  new Date(localMoment(at(wallClock, offset), zone) ?? 0).toISOString();

test.each([
  ['Europe/Berlin', '2026-01-15T09:00:00', '2026-01-15T08:00:00.000Z'],
  ['Europe/Berlin', '2026-07-15T09:00:00', '2026-07-15T07:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-07-15T09:00:00', '2026-07-14T19:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-07-15T09:00:00', '2026-07-15T20:00:00.000Z'],
  ['Asia/Kathmandu', '2026-07-15T09:00:00', '2026-07-15T03:15:00.000Z'],
  // Clocks jump from 02:00 to 03:00: the first moment after the gap.
  ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
  // Clocks go back from 03:00 to 02:00: the first of the two moments.
  ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:30:00.000Z'],
])('clocks of %s show %s at %s', (zone, wallClock, moment) => {
  expect(shown(wallClock, zone)).toBe(moment);
});

test('without a zone, or with one that is none, the offset holds', () => {
  expect(shown('2026-07-15T09:00:00', null, 120)).toBe('2026-07-15T07:00:00.000Z');
  expect(shown('2026-07-15T09:00:00', 'Nowhere/Land', -300)).toBe('2026-07-15T14:00:00.000Z');
  expect(localMoment(at(null), 'Europe/Berlin')).toBeUndefined();
});

test('so many an hour, evenly', () => {
  const timing = { ...at(null), maxPerHour: 120 };
  expect([0, 1, 2, 120].map((place) => sendDelayMs(timing, place))).toEqual([0, 30_000, 60_000, 3_600_000]);
  expect(sendDelayMs(at(null), 1_000_000)).toBe(0);
});

test('in no hour are there more than were asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 0, max: 20_000 }),
      (maxPerHour, place) => {
        const timing = { ...at(null), maxPerHour };
        expect(sendDelayMs(timing, place + maxPerHour) - sendDelayMs(timing, place)).toBe(3_600_000);
      },
    ),
  );
});

test('the later of both is meant, and what is late goes at once', () => {
  const timing = { ...at('2026-07-15T09:00:00'), maxPerHour: 60 };
  const began = Date.UTC(2026, 6, 15, 8);
  const moment = (place: number, localAt: number | null): number =>
    sendMoment(timing, { sendIndex: place, localAt }, began).getTime() - began;
  expect(moment(1, null)).toBe(60_000);
  expect(moment(1, began - 5)).toBe(60_000);
  expect(moment(1, began + 90_000)).toBe(90_000);
});

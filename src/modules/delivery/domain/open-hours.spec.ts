import fc from 'fast-check';
import { nextWithin, otherHours, timeOfDay, type Hours } from './open-hours.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time zones with a day of each clock change; two zones without changes, and some with unusual ones. */
const ZONES: readonly (readonly [zone: string, ...changes: string[]])[] = [
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['Europe/London', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['America/Los_Angeles', '2026-03-08', '2026-11-01'],
  ['America/St_Johns', '2026-03-08', '2026-11-01'],
  // Clocks moved forward at midnight: the day started at one.
  ['America/Sao_Paulo', '2018-11-04', '2019-02-17'],
  ['America/Santiago', '2026-04-05', '2026-09-06'],
  // A change of half an hour.
  ['Australia/Lord_Howe', '2026-04-05', '2026-10-04'],
  ['Australia/Sydney', '2026-04-05', '2026-10-04'],
  ['Africa/Casablanca', '2026-02-15', '2026-03-22'],
  // A day was skipped.
  ['Pacific/Apia', '2011-12-30', '2021-04-04'],
  ['Asia/Kathmandu', '2026-03-29', '2026-10-25'],
  ['UTC', '2026-03-29', '2026-10-25'],
];

/** Minutes after local midnight, computed by the runtime in a different way than the code under test. */
function shown(zone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short', hourCycle: 'h23' });
  const kept = new Map<number, number>();
  return (moment) => {
    const minute = Math.floor(moment / MINUTE);
    let answer = kept.get(minute);
    if (answer === undefined) {
      const [hours, minutes] = format.format(minute * MINUTE).split(':');
      kept.set(minute, (answer = Number(hours) * 60 + Number(minutes)));
    }
    return answer;
  };
}

/** The earliest time within the hours, found by stepping minute by minute. */
function walked({ start, end }: Hours, clock: (moment: number) => number, from: number): number | undefined {
  const [first, last] = [start / MINUTE, end / MINUTE];
  const isWithin = (moment: number): boolean => {
    const at = clock(moment);
    if (first === last) return true;
    return first < last ? at >= first && at < last : at >= first || at < last;
  };
  if (isWithin(from)) return from;
  let moment = Math.floor(from / MINUTE) * MINUTE;
  for (const end = from + 4 * DAY; moment < end;) if (isWithin((moment += MINUTE))) return moment;
  return undefined;
}

const hours = (start: string, end: string, zone: string): Hours => ({
  start: timeOfDay(start)!,
  end: timeOfDay(end)!,
  zone,
});

test.each([
  ['00:00', 0],
  ['23:59', DAY - MINUTE],
  ['24:00', undefined],
  ['9:00', undefined],
  ['09:60', undefined],
  ['109:00', undefined],
  ['09:00:00', undefined],
  ['', undefined],
])('the time %s', (text, milliseconds) => expect(timeOfDay(text)).toBe(milliseconds));

test.each([
  ['before', '2026-06-01T06:59:59.999Z', '2026-06-01T07:00:00.000Z'],
  ['at the start', '2026-06-01T07:00:00.000Z', '2026-06-01T07:00:00.000Z'],
  ['within, to the millisecond', '2026-06-01T11:34:56.789Z', '2026-06-01T11:34:56.789Z'],
  ['at the end, which is outside', '2026-06-01T15:00:00.000Z', '2026-06-02T07:00:00.000Z'],
])('nine to five in Berlin, %s', (_, from, expected) =>
  expect(
    new Date(nextWithin(hours('09:00', '17:00', 'Europe/Berlin'), Date.parse(from))!).toISOString(),
  ).toBe(expected),
);

test.each([
  ['22:00', '06:00', '2026-06-01T12:00:00Z', '2026-06-01T22:00:00Z'],
  ['22:00', '06:00', '2026-06-01T23:30:00Z', '2026-06-01T23:30:00Z'],
  ['22:00', '06:00', '2026-06-01T05:59:00Z', '2026-06-01T05:59:00Z'],
  ['22:00', '06:00', '2026-06-01T06:00:00Z', '2026-06-01T22:00:00Z'],
  ['09:00', '09:00', '2026-06-01T03:00:00Z', '2026-06-01T03:00:00Z'],
])('%s to %s over midnight, or the whole day', (start, end, from, expected) =>
  expect(nextWithin(hours(start, end, 'UTC'), Date.parse(from))).toBe(Date.parse(expected)),
);

test.each([
  // 02:00 became 03:00: the rest of the hours starts with the change, or they do not occur that day.
  ['02:30', '05:00', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
  ['02:30', '02:45', '2026-03-29T00:00:00Z', '2026-03-30T00:30:00Z'],
  // 03:00 became 02:00: the hours occur twice.
  ['02:30', '02:45', '2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z'],
  ['02:30', '02:45', '2026-10-25T00:50:00Z', '2026-10-25T01:30:00Z'],
  ['02:30', '02:45', '2026-10-25T01:45:00Z', '2026-10-26T01:30:00Z'],
])('%s to %s in Berlin around a change of the clocks, from %s', (start, end, from, expected) =>
  expect(new Date(nextWithin(hours(start, end, 'Europe/Berlin'), Date.parse(from))!)).toEqual(
    new Date(expected),
  ),
);

describe.each(ZONES)('%s', (zone, ...changes) => {
  const clock = shown(zone);
  const windows = [
    ...[hours('00:00', '00:30', zone), hours('00:30', '06:00', zone), hours('01:30', '01:45', zone)],
    ...[hours('02:30', '02:45', zone), hours('02:15', '04:00', zone), hours('09:00', '17:00', zone)],
    ...[hours('22:00', '02:30', zone), hours('23:45', '00:15', zone), hours('12:00', '12:00', zone)],
  ];

  test.each(changes)('each window from each quarter of an hour around %s, as a walk finds it', (day) => {
    const wrong: unknown[] = [];
    for (let from = Date.parse(day) - HOUR; from < Date.parse(day) + 36 * HOUR; from += 15 * MINUTE + 7_001)
      for (const window of windows) {
        const [found, expected] = [nextWithin(window, from), walked(window, clock, from)];
        if (found !== expected) wrong.push({ window, from, found, expected });
      }
    expect(wrong).toEqual([]);
  });
});

const anyHours = fc.record({
  start: fc.integer({ min: 0, max: 1_439 }).map((minute) => minute * MINUTE),
  end: fc.integer({ min: 0, max: 1_439 }).map((minute) => minute * MINUTE),
  zone: fc.constantFrom(...ZONES.map(([zone]) => zone)),
});
const anyMoment = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2028-01-01') });
const clocks = new Map(ZONES.map(([zone]) => [zone, shown(zone)]));

test('the moment is never in the past, within the hours, and the earliest such', () => {
  fc.assert(
    fc.property(anyHours, anyMoment, (window, from) => {
      const moment = nextWithin(window, from)!;
      expect(moment).toBeGreaterThanOrEqual(from);
      expect(nextWithin(window, moment)).toBe(moment);
      expect(moment).toBe(walked(window, clocks.get(window.zone)!, from));
    }),
    { numRuns: 100 },
  );
});

test('a moment is within the hours or within the others', () => {
  fc.assert(
    fc.property(anyHours, anyMoment, (window, from) => {
      fc.pre(window.start !== window.end);
      const [one, other] = [nextWithin(window, from), nextWithin(otherHours(window), from)];
      expect([one, other].filter((moment) => moment === from)).toHaveLength(1);
    }),
  );
});

import fc from 'fast-check';
import { runs, sampleOf } from '../../test/support/test-scope.js';
import { latestRun, momentOf, nextRun, type Repetition } from './recurrence.js';
import { offsetAt } from './time-zone.js';

const daily: Repetition = {
  ...{ frequency: 'daily', dayOfWeek: null, dayOfMonth: null, hour: 9, minute: 0 },
  timezone: 'Europe/Berlin',
};
const weekly: Repetition = { ...daily, frequency: 'weekly', dayOfWeek: 0 };
const monthly: Repetition = { ...daily, frequency: 'monthly', dayOfMonth: 28 };
const after = (repetition: Repetition, moment: string): string =>
  nextRun(repetition, new Date(moment)).toISOString();

test.each<[string, Repetition, string, string]>([
  ['today, later', daily, '2026-01-15T07:59:59Z', '2026-01-15T08:00:00.000Z'],
  ['tomorrow, at the very moment', daily, '2026-01-15T08:00:00Z', '2026-01-16T08:00:00.000Z'],
  ['by summer time', daily, '2026-03-28T08:00:00Z', '2026-03-29T07:00:00.000Z'],
  ['Monday', weekly, '2026-01-15T12:00:00Z', '2026-01-19T08:00:00.000Z'],
  ['Sunday', { ...weekly, dayOfWeek: 6 }, '2026-01-18T08:00:00Z', '2026-01-25T08:00:00.000Z'],
  ['the 28th of February', monthly, '2026-01-28T08:00:00Z', '2026-02-28T08:00:00.000Z'],
  [
    'a day that has begun there already',
    { ...daily, timezone: 'Pacific/Kiritimati' },
    '2026-01-15T18:59:00Z',
    '2026-01-15T19:00:00.000Z',
  ],
  [
    'as much later as the clocks are put forward',
    { ...daily, hour: 2, minute: 30 },
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:30:00.000Z',
  ],
  [
    'by half an hour',
    { ...daily, hour: 2, minute: 15, timezone: 'Australia/Lord_Howe' },
    '2026-10-03T12:00:00Z',
    '2026-10-03T15:45:00.000Z',
  ],
  ['the first of two', { ...daily, hour: 2, minute: 30 }, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  [
    'not the second of two',
    { ...daily, hour: 2, minute: 30 },
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00.000Z',
  ],
])('%s', (_, repetition, moment, expected) => {
  expect(after(repetition, moment)).toBe(expected);
});

const ZONES = [
  ...[
    'Europe/Berlin',
    'Europe/London',
    'America/New_York',
    'America/Sao_Paulo',
    'America/St_Johns',
    'America/Santiago',
  ],
  ...[
    'America/Asuncion',
    'Africa/Cairo',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'Asia/Tehran',
    'Asia/Beirut',
    'Asia/Gaza',
  ],
  ...['Australia/Lord_Howe', 'Australia/Adelaide', 'Pacific/Apia', 'Pacific/Chatham', 'Pacific/Kiritimati'],
  ...['Antarctica/Troll', 'UTC'],
];
const PERIODS: readonly Repetition[] = [
  daily,
  ...[0, 3, 6].map((dayOfWeek): Repetition => ({ ...weekly, dayOfWeek })),
  ...[1, 28].map((dayOfMonth): Repetition => ({ ...monthly, dayOfMonth })),
];
const TIMES = [
  [0, 0],
  [1, 30],
  [2, 30],
  [3, 15],
  [23, 59],
] as const;
const PERIODS_AND_TIMES = TIMES.flatMap((time) => PERIODS.map((period) => [period, time] as const));
/** Local time in the zone, represented as a UTC date. */
const shown = (zone: string, at: Date): Date => new Date(at.getTime() + offsetAt(zone, at.getTime()));

/** Milliseconds by which a machine's clock may jump. */
const STEPS = [-3_600_000, -1, 0, 1, 86_400_000];
/** Days from one run to the next; months if monthly. */
const stepBetween = ({ frequency }: Repetition, from: Date, to: Date): number =>
  frequency === 'monthly'
    ? (to.getUTCMonth() - from.getUTCMonth() + 12) % 12
    : (to.getTime() - from.getTime()) / 86_400_000;

test.each(ZONES)('two years in %s: each period once, whenever it is asked', (timezone) => {
  const [begin, end] = [Date.UTC(2025, 5, 1), Date.UTC(2027, 5, 1)];
  for (const [period, [hour, minute]] of sampleOf(PERIODS_AND_TIMES, ZONES.indexOf(timezone), 5)) {
    const repetition = { ...period, timezone, hour, minute };
    const moments: Date[] = [];
    for (let at = nextRun(repetition, new Date(begin)); at.getTime() < end; at = nextRun(repetition, at))
      moments.push(at);
    const days = moments.map((run) => shown(timezone, run).toISOString().slice(0, 10));
    expect(new Set(days).size).toBe(days.length);
    const dates = days.map((day) => new Date(day));
    const steps = dates.slice(1).map((date, n) => stepBetween(period, dates[n] ?? date, date));
    expect(new Set(steps)).toEqual(new Set([period.frequency === 'weekly' ? 7 : 1]));
    if (period.frequency === 'weekly')
      expect(new Set(dates.map((date) => (date.getUTCDay() + 6) % 7))).toEqual(new Set([period.dayOfWeek]));
    if (period.frequency === 'monthly')
      expect(new Set(dates.map((date) => date.getUTCDate()))).toEqual(new Set([period.dayOfMonth]));
    expect(moments.length).toBeGreaterThanOrEqual({ daily: 729, weekly: 103, monthly: 23 }[period.frequency]);
    // If the machine's clock jumps, the next run is still in the future, and no run lies in between.
    const asked = moments
      .filter((_, n) => n % 37 === 0)
      .flatMap((run) => STEPS.map((step) => new Date(run.getTime() + step)));
    expect(asked.map((at) => nextRun(repetition, at))).toEqual(
      asked.map((at) => moments.find((run) => run > at) ?? nextRun(repetition, moments.at(-1) ?? at)),
    );
  }
});

test.each<[string, Repetition, string]>([
  ['02:00 where 02:00 is 03:00', { ...daily, hour: 2 }, '2026-03-29T01:00:00.000Z'],
  ['02:30 where 02:00 is 03:00', { ...daily, hour: 2, minute: 30 }, '2026-03-29T01:30:00.000Z'],
  [
    'midnight where it is 01:00',
    { ...daily, hour: 0, timezone: 'America/Santiago' },
    '2026-09-06T04:00:00.000Z',
  ],
  [
    '23:00 where it is midnight',
    { ...daily, hour: 23, timezone: 'America/Nuuk' },
    '2026-03-29T01:00:00.000Z',
  ],
])('a skipped hour runs right after the gap: %s', (_, repetition, expected) => {
  expect(after(repetition, new Date(Date.parse(expected) - 3_600_000).toISOString())).toBe(expected);
});

test('a run that comes behind midnight is not passed over, whenever it is asked', () => {
  // On 28 March 2026 the hour from 23:00 to midnight does not exist in Nuuk.
  const late = { ...daily, hour: 23, minute: 30, timezone: 'America/Nuuk' };
  const skipped = '2026-03-29T01:30:00.000Z';
  expect(after(late, '2026-03-29T00:59:00Z')).toBe(skipped);
  expect(after(late, '2026-03-29T01:00:00Z')).toBe(skipped);
  expect(after(late, '2026-03-29T01:29:59Z')).toBe(skipped);
  expect(after(late, skipped)).toBe('2026-03-30T00:30:00.000Z');
});

test('a day that a zone never had runs with the day behind it', () => {
  // Samoa skipped 30 December 2011.
  const apia = { ...daily, timezone: 'Pacific/Apia' };
  expect(after(apia, '2011-12-29T18:59:59Z')).toBe('2011-12-29T19:00:00.000Z');
  expect(after(apia, '2011-12-29T19:00:00Z')).toBe('2011-12-30T19:00:00.000Z');
  expect(after(apia, '2011-12-30T19:00:00Z')).toBe('2011-12-31T19:00:00.000Z');
});

const anyRepetition = fc
  .record({
    frequency: fc.constantFrom('daily', 'weekly', 'monthly'),
    dayOfWeek: fc.integer({ min: 0, max: 6 }),
    dayOfMonth: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    timezone: fc.constantFrom(...ZONES, 'America/Nuuk'),
  })
  .map((repetition): Repetition => repetition as Repetition);
const anyMoment = fc.date({ min: new Date('2011-01-01'), max: new Date('2031-01-01'), noInvalidDate: true });

test('what is next is ahead, what was last is not, and nothing lies between them', () => {
  fc.assert(
    fc.property(anyRepetition, anyMoment, (repetition, now) => {
      const [last, next] = [latestRun(repetition, now), nextRun(repetition, now)];
      expect(last <= now && now < next).toBe(true);
      expect(nextRun(repetition, last)).toEqual(next);
      expect(latestRun(repetition, new Date(next.getTime() - 1))).toEqual(last);
      expect(latestRun(repetition, next)).toEqual(next);
    }),
    { numRuns: runs(300) },
  );
});

test('a clock that is stepped back by an hour or on by a day has no period run twice, and none made up for', () => {
  const steps = fc.array(fc.constantFrom(-3_600_000, 86_400_000, 1_800_000, 5_400_000, 43_200_000), {
    minLength: 5,
    maxLength: 40,
  });
  fc.assert(
    fc.property(anyRepetition, anyMoment, steps, (repetition, begin, taken) => {
      let now = begin.getTime();
      let due = nextRun(repetition, begin);
      let furthest = now;
      const ran: number[] = [];
      for (const step of taken) {
        now += step;
        furthest = Math.max(furthest, now);
        if (due.getTime() > now) continue;
        ran.push(due.getTime());
        due = nextRun(repetition, new Date(now));
        expect(due.getTime()).toBeGreaterThan(now);
      }
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran).toEqual(ran.toSorted((a, b) => a - b));
      for (const run of ran) expect(run).toBeLessThanOrEqual(furthest);
    }),
    { numRuns: runs(200) },
  );
});

test('each day of a zone has its own run, in order', () => {
  for (const timezone of [...ZONES, 'America/Nuuk']) {
    const moments: number[] = [];
    for (let day = Date.UTC(2025, 5, 1); day < Date.UTC(2027, 5, 1); day += 86_400_000)
      moments.push(momentOf(timezone, day + 23 * 3_600_000));
    expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => a - b));
  }
});

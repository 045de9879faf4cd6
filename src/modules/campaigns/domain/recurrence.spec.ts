import { offsetAt } from '../../../kernel/time-zone.js';
import { nextInstance, nextRun, type Recurrence } from './recurrence.js';

const daily: Recurrence = {
  ...{ frequency: 'daily', dayOfWeek: null, dayOfMonth: null, hour: 9, minute: 0 },
  ...{ timezone: 'Europe/Berlin', endsAt: null, maxInstances: null },
};
const weekly: Recurrence = { ...daily, frequency: 'weekly', dayOfWeek: 0 };
const monthly: Recurrence = { ...daily, frequency: 'monthly', dayOfMonth: 28 };
const after = (recurrence: Recurrence, moment: string): string =>
  nextRun(recurrence, new Date(moment)).toISOString();

test.each<[string, Recurrence, string, string]>([
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
])('%s', (_, recurrence, moment, expected) => {
  expect(after(recurrence, moment)).toBe(expected);
});

test('it ends behind its last moment, and with its last instance', () => {
  const at = new Date('2026-01-15T08:00:00Z');
  expect(nextInstance({ ...daily, maxInstances: 3 }, at, 2)).toEqual(new Date('2026-01-16T08:00:00Z'));
  expect(nextInstance({ ...daily, maxInstances: 3 }, at, 3)).toBeNull();
  expect(nextInstance({ ...daily, endsAt: new Date('2026-01-16T08:00:00Z') }, at, 0)).not.toBeNull();
  expect(nextInstance({ ...daily, endsAt: new Date('2026-01-16T07:59:59Z') }, at, 0)).toBeNull();
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
const PERIODS: readonly Recurrence[] = [
  daily,
  ...[0, 3, 6].map((dayOfWeek): Recurrence => ({ ...weekly, dayOfWeek })),
  ...[1, 28].map((dayOfMonth): Recurrence => ({ ...monthly, dayOfMonth })),
];
/** What clocks of the zone show, as though it were UTC's. */
const shown = (zone: string, at: Date): Date => new Date(at.getTime() + offsetAt(zone, at.getTime()));

test.each(ZONES)('two years in %s: each period once, whenever it is asked', (timezone) => {
  const [begin, end] = [Date.UTC(2025, 5, 1), Date.UTC(2027, 5, 1)];
  for (const period of PERIODS)
    for (const [hour, minute] of [
      [0, 0],
      [1, 30],
      [2, 30],
      [3, 15],
      [23, 59],
    ] as const) {
      const recurrence = { ...period, timezone, hour, minute };
      const runs: Date[] = [];
      for (let at = nextRun(recurrence, new Date(begin)); at.getTime() < end; at = nextRun(recurrence, at))
        runs.push(at);
      const days = runs.map((run) => shown(timezone, run).toISOString().slice(0, 10));
      expect(new Set(days).size).toBe(days.length);
      for (const [n, day] of days.entries()) {
        const date = new Date(day);
        if (period.frequency === 'weekly') expect((date.getUTCDay() + 6) % 7).toBe(period.dayOfWeek);
        if (period.frequency === 'monthly') expect(date.getUTCDate()).toBe(period.dayOfMonth);
        const before = new Date(days[n - 1] ?? day);
        const passed = (date.getTime() - before.getTime()) / 86_400_000;
        if (n > 0 && period.frequency === 'daily') expect(passed).toBe(1);
        if (n > 0 && period.frequency === 'weekly') expect(passed).toBe(7);
        if (n > 0 && period.frequency === 'monthly')
          expect((date.getUTCMonth() - before.getUTCMonth() + 12) % 12).toBe(1);
      }
      expect(runs.length).toBeGreaterThanOrEqual({ daily: 729, weekly: 103, monthly: 23 }[period.frequency]);
      // However clocks of machines are stepped, what is next is ahead, and none lies between.
      for (let n = 0; n < runs.length; n += 37)
        for (const step of [-3_600_000, -1, 0, 1, 86_400_000]) {
          const at = new Date((runs[n]?.getTime() ?? begin) + step);
          expect(nextRun(recurrence, at)).toEqual(
            runs.find((run) => run > at) ?? nextRun(recurrence, runs.at(-1) ?? at),
          );
        }
    }
});

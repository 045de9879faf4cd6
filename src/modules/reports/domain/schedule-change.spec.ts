/** The next date of a schedule, and its days: in local time of its zone, and never in the past. */
import fc from 'fast-check';
import { offsetAt } from '../../../kernel/time-zone.js';
import {
  changedSchedule,
  nextCheckOf,
  newSchedule,
  pausedSchedule,
  resumedSchedule,
  withCurrentSchedule,
  type ScheduleChange,
} from './schedule-change.js';
import type { ReportRecord } from './report-record.js';
import { FREQUENCIES, type ReportSchedule } from './schedule.js';

const recipients = [{ email: 'ada@example.com', name: null }];
const MONDAY = new Date('2026-03-02T09:00:00Z');
const made = (change: ScheduleChange, now = MONDAY): ReportSchedule =>
  newSchedule('r', { frequency: 'daily', recipients, ...change }, now);

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Asia/Kolkata'],
  ...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Chatham', 'Pacific/Kiritimati', 'Africa/Casablanca'],
];
const change = fc
  .record({
    frequency: fc.constantFrom(...FREQUENCIES),
    hour: fc.integer({ min: 0, max: 23 }),
    timezone: fc.constantFrom(...ZONES),
    weekday: fc.integer({ min: 0, max: 6 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ frequency, hour, timezone, weekday, day }): ScheduleChange => ({
    ...{ frequency, hour, timezone },
    ...(frequency === 'weekly' ? { dayOfWeek: weekday } : {}),
    ...(frequency === 'monthly' ? { dayOfMonth: day } : {}),
  }));
const moment = fc.date({
  min: new Date('2025-01-01T00:00:00Z'),
  max: new Date('2028-01-01T00:00:00Z'),
  noInvalidDate: true,
});

test.each([
  ['2026-03-28T12:00:00Z', 'Europe/Berlin', 2, '2026-03-29T01:00:00.000Z'],
  ['2026-03-07T12:00:00Z', 'America/New_York', 2, '2026-03-08T07:00:00.000Z'],
  ['2026-10-03T12:00:00Z', 'Australia/Lord_Howe', 2, '2026-10-03T15:30:00.000Z'],
  ['2026-10-24T12:00:00Z', 'Europe/Berlin', 2, '2026-10-25T00:00:00.000Z'],
  ['2026-10-31T12:00:00Z', 'America/New_York', 1, '2026-11-01T05:00:00.000Z'],
])(
  'after %s, %s at %d o’clock: a skipped hour comes right after the gap, one that comes twice comes once',
  (from, timezone, hour, next) => {
    expect(made({ timezone, hour }, new Date(from)).nextSendAt.toISOString()).toBe(next);
  },
);

test('what comes next is ahead, on its day and at its hour, but for what clocks pass over', () => {
  fc.assert(
    fc.property(change, moment, (wanted, now) => {
      const { nextSendAt, frequency, dayOfWeek, dayOfMonth, hour, timezone } = made(wanted, now);
      expect(nextSendAt.getTime()).toBeGreaterThan(now.getTime());
      const shown = new Date(nextSendAt.getTime() + offsetAt(timezone, nextSendAt.getTime()));
      expect([0, 1]).toContain(shown.getUTCHours() - hour);
      if (frequency === 'weekly') expect((shown.getUTCDay() + 6) % 7).toBe(dayOfWeek);
      if (frequency === 'monthly') expect(shown.getUTCDate()).toBe(dayOfMonth);
    }),
  );
});

test('a change comes to what a new schedule of that content would be', () => {
  fc.assert(
    fc.property(change, change, moment, moment, (first, second, before, now) => {
      const changed = changedSchedule(made(first, before), second, now);
      expect(changed).toEqual({ ...made(second, now), createdAt: before });
    }),
  );
});

test('days belong to their frequency, and go with it', () => {
  const weekly = made({ frequency: 'weekly', dayOfWeek: 3 });
  expect(made({ frequency: 'weekly' }).dayOfWeek).toBe(0);
  expect(made({ frequency: 'monthly' }).dayOfMonth).toBe(1);
  expect(changedSchedule(weekly, { hour: 1 }, MONDAY).dayOfWeek).toBe(3);
  const monthly = changedSchedule(weekly, { frequency: 'monthly' }, MONDAY);
  expect([monthly.dayOfWeek, monthly.dayOfMonth]).toEqual([null, 1]);
  expect(changedSchedule(monthly, { frequency: 'weekly' }, MONDAY).dayOfWeek).toBe(0);
  for (const strange of [{ dayOfMonth: 2 }, { frequency: 'daily', dayOfWeek: 0 }] as const)
    expect(() => changedSchedule(weekly, strange, MONDAY)).toThrow(/^invalid_field: day_of_/);
});

test('one that is paused is not looked at; what is shown of it is never over, and resuming makes up for nothing', () => {
  const schedule = made({ hour: 12 });
  const later = new Date('2026-03-09T12:00:00Z');
  expect(nextCheckOf(schedule)).toEqual(new Date('2026-03-02T12:00:00Z'));
  const paused = pausedSchedule(schedule, MONDAY);
  expect(nextCheckOf(paused)).toBeNull();
  expect(nextCheckOf(changedSchedule(paused, { hour: 7 }, later))).toBeNull();
  const shown = withCurrentSchedule({ schedule: paused } as ReportRecord, later).schedule;
  expect(shown).toEqual({ ...paused, nextSendAt: new Date('2026-03-10T12:00:00Z') });
  expect(withCurrentSchedule({ schedule } as ReportRecord, later).schedule).toBe(schedule);
  const resumed = resumedSchedule(paused, later);
  expect([resumed.isActive, nextCheckOf(resumed)]).toEqual([true, new Date('2026-03-10T12:00:00Z')]);
});

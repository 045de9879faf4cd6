import fc from 'fast-check';
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
  ['behind the gap', { ...daily, hour: 2, minute: 30 }, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
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

test('a year has each day once, in whatever zone', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tehran', 'UTC'];
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 23 }), (timezone, hour) => {
      const days = new Set<string>();
      let moment = new Date('2026-01-01T00:00:00Z');
      for (let n = 0; n < 365; n++) {
        moment = nextRun({ ...daily, timezone, hour }, moment);
        days.add(
          new Date(moment.getTime() + offsetAt(timezone, moment.getTime())).toISOString().slice(0, 10),
        );
      }
      expect(days.size).toBe(365);
    }),
    { numRuns: 20 },
  );
});

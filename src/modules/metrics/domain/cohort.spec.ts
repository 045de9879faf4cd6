import fc from 'fast-check';
import { DAY } from '../../../kernel/duration.js';
import {
  COHORT_PERIODS,
  cohortStarts,
  cohortTable,
  isInActivityTable,
  MAX_COHORTS,
  addPeriods,
  periodStart,
  formatDay,
  type CohortPeriod,
} from './cohort.js';

const at = (text: string): Date => new Date(text);

test.each<[CohortPeriod, string, string]>([
  ['day', '2026-03-01T23:59:59.999Z', '2026-03-01'],
  ['week', '2026-03-01T23:59:59.999Z', '2026-02-23'],
  ['week', '2026-03-02T00:00:00.000Z', '2026-03-02'],
  ['week', '1969-12-31T12:00:00.000Z', '1969-12-29'],
  ['week', '0001-01-01T00:00:00.000Z', '0001-01-01'],
  ['month', '2026-02-28T23:59:59.999Z', '2026-02-01'],
  ['month', '1969-12-31T23:59:59.999Z', '1969-12-01'],
])('the %s of %s begins on %s', (period, moment, start) =>
  expect(periodStart(period, at(moment)).toISOString()).toBe(`${start}T00:00:00.000Z`),
);

test('a moment lies in its period, and periods follow one another', () => {
  const moment = fc.date({
    min: at('0001-01-08T00:00:00Z'),
    max: at('9990-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, fc.constantFrom(...COHORT_PERIODS), fc.nat(30), (date, period, count) => {
      const start = periodStart(period, date);
      const next = addPeriods(period, start, 1);
      expect(start <= date && date < next).toBe(true);
      expect(periodStart(period, new Date(next.getTime() - 1))).toEqual(start);
      expect(periodStart(period, next)).toEqual(next);
      let walked = start;
      for (let i = 0; i < count; i++) walked = addPeriods(period, walked, 1);
      expect(addPeriods(period, start, count)).toEqual(walked);
    }),
  );
});

test('the cohorts of a range are all periods that it touches', () => {
  const range = { from: at('2026-02-27T12:00:00Z'), to: at('2026-03-09T00:00:00Z') };
  const starts = (period: CohortPeriod): string[] => cohortStarts(period, range).map(formatDay);
  expect(starts('week')).toEqual(['2026-02-23', '2026-03-02', '2026-03-09']);
  expect(starts('month')).toEqual(['2026-02-01', '2026-03-01']);
  expect(starts('day')).toHaveLength(11);
});

test('a range has as many cohorts as may be, and no more', () => {
  const from = at('2026-01-01T00:00:00Z');
  const days = (count: number): Date[] =>
    cohortStarts('day', { from, to: new Date(from.getTime() + count * DAY - 1) });
  expect(days(MAX_COHORTS)).toHaveLength(MAX_COHORTS);
  expect(() => days(MAX_COHORTS + 1)).toThrow(/period: splits the range into more than 400 cohorts/);
});

test('the table has empty cohorts, and no period that has not begun', () => {
  const starts = [at('2026-02-16T00:00:00Z'), at('2026-02-23T00:00:00Z'), at('2026-03-09T00:00:00Z')];
  const sizes = new Map([['2026-02-16', 8]]);
  const cells = [
    { cohort: '2026-02-16', active: '2026-02-16', people: 8 },
    { cohort: '2026-02-16', active: '2026-03-02', people: 1 },
    { cohort: '2026-02-16', active: '2026-03-09', people: 5 },
  ];
  const now = at('2026-03-02T00:00:00Z');
  expect(cohortTable({ period: 'week', periods: 4 }, starts, sizes, cells, now)).toEqual([
    {
      start: '2026-02-16',
      size: 8,
      values: [
        { index: 0, count: 8, rate: 100 },
        { index: 1, count: 0, rate: 0 },
        { index: 2, count: 1, rate: 12.5 },
      ],
    },
    {
      start: '2026-02-23',
      size: 0,
      values: [
        { index: 0, count: 0, rate: 0 },
        { index: 1, count: 0, rate: 0 },
      ],
    },
    { start: '2026-03-09', size: 0, values: [] },
  ]);
});

test('the table has as many periods of a cohort as are asked for', () => {
  const later = at('2027-01-01T00:00:00Z');
  const [cohort] = cohortTable(
    { period: 'day', periods: 2 },
    [at('2026-03-02T00:00:00Z')],
    new Map(),
    [],
    later,
  );
  expect(cohort?.values.map(({ index }) => index)).toEqual([0, 1]);
});

test.each([
  [{ by: 'contact_created' }, { by: 'any' }, true],
  [{ by: 'contact_created' }, { by: 'email_opened' }, true],
  [{ by: 'contact_created' }, { by: 'event' }, true],
  [{ by: 'contact_created' }, { by: 'event', eventName: 'paid' }, false],
  [{ by: 'event', eventName: 'paid' }, { by: 'any' }, false],
  [{ by: 'flow_entered', flowId: 'f' }, { by: 'event' }, false],
] as const)('the cohort of %j that return by %j is counted by days alone: %p', (members, returns, kept) => {
  expect(isInActivityTable({ members, returns })).toBe(kept);
});

import { DomainError } from './domain-error.js';
import { type DateRangeInput, readDateRange } from './date-range.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');

const read = (input: DateRangeInput, now = NOW): [string, string] => {
  const { from, to } = readDateRange(input, now);
  return [from.toISOString(), to.toISOString()];
};

const FEB = '2026-02-01T00:00:00.000Z';
const THIRTY = '2026-01-31T09:00:00.000Z';

test.each<[string, DateRangeInput, string, string]>([
  ['nothing', {}, THIRTY, NOW.toISOString()],
  ['1d', { dateRange: '1d' }, '2026-03-01T09:00:00.000Z', NOW.toISOString()],
  ['7d', { dateRange: '7d' }, '2026-02-23T09:00:00.000Z', NOW.toISOString()],
  ['90d', { dateRange: '90d' }, '2025-12-02T09:00:00.000Z', NOW.toISOString()],
  ['today', { dateRange: 'today' }, '2026-03-02T00:00:00.000Z', NOW.toISOString()],
  ['yesterday', { dateRange: 'yesterday' }, '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['an unknown preset', { dateRange: '14d' }, THIRTY, NOW.toISOString()],
  ['a preset twice', { dateRange: ['1d', '7d'] }, THIRTY, NOW.toISOString()],
  ['a name of every object', { dateRange: 'constructor' }, THIRTY, NOW.toISOString()],
  [
    'both dates, whatever the preset',
    { fromDate: '2026-02-01', toDate: '2026-02-03', dateRange: '1d' },
    FEB,
    '2026-02-03T23:59:59.999Z',
  ],
  ['one day', { fromDate: '2026-02-01', toDate: '2026-02-01' }, FEB, '2026-02-01T23:59:59.999Z'],
  ['one moment', { fromDate: FEB, toDate: FEB }, FEB, FEB],
  ['from alone', { fromDate: '2026-02-01', dateRange: '1d' }, FEB, NOW.toISOString()],
  ['to alone, a day', { toDate: '2026-02-07', dateRange: '7d' }, FEB, '2026-02-07T23:59:59.999Z'],
  [
    'to alone, a moment',
    { toDate: '2026-02-08T00:00:00Z', dateRange: '7d' },
    FEB,
    '2026-02-08T00:00:00.000Z',
  ],
  ['to alone, of a day', { toDate: '2026-02-01', dateRange: 'yesterday' }, FEB, '2026-02-01T23:59:59.999Z'],
  ['to alone', { toDate: '2026-03-02' }, '2026-02-01T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
])('%s', (_, input, from, to) => expect(read(input)).toEqual([from, to]));

test.each<[string, string, string]>([
  ['2024-02-29', '2024-02-29T00:00:00.000Z', 'a leap day'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z', 'a leap day of a fourth century'],
  ['2026-02-01T10:30', '2026-02-01T10:30:00.000Z', 'UTC without an offset'],
  ['2026-02-01T10:30:15', '2026-02-01T10:30:15.000Z', 'seconds'],
  ['2026-02-01T10:30:15.5Z', '2026-02-01T10:30:15.500Z', 'a tenth'],
  ['2026-02-01T10:30:15,123456789z', '2026-02-01T10:30:15.123Z', 'finer than milliseconds, with a comma'],
  ['2026-02-01T00:30:00+02:00', '2026-01-31T22:30:00.000Z', 'east, the day before in UTC'],
  ['2026-02-01T00:30:00+0545', '2026-01-31T18:45:00.000Z', 'an offset without a colon'],
  ['2026-02-01T22:30:00-03', '2026-02-02T01:30:00.000Z', 'an offset of hours'],
  ['0001-01-01T00:00:00+14:00', '0001-01-01T00:00:00.000Z', 'before the first year'],
  ['1900-01-01', '1900-01-01T00:00:00.000Z', 'before 1970'],
])('from_date %s is %s: %s', (fromDate, from) => expect(read({ fromDate })[0]).toBe(from));

test('a day is as long as the calendar says across the end of February in a leap year', () =>
  expect(read({ toDate: '2024-03-01', dateRange: '7d' })).toEqual([
    '2024-02-24T00:00:00.000Z',
    '2024-03-01T23:59:59.999Z',
  ]));

test('yesterday and today meet without a gap at midnight', () => {
  const midnight = new Date('2024-03-01T00:00:00.000Z');
  expect(read({ dateRange: 'yesterday' }, midnight)).toEqual([
    '2024-02-29T00:00:00.000Z',
    '2024-02-29T23:59:59.999Z',
  ]);
  expect(read({ dateRange: 'today' }, midnight)).toEqual([midnight.toISOString(), midnight.toISOString()]);
});

test.each<[string, unknown]>([
  ['an empty text', ''],
  ['words', 'last week'],
  ['a day that is none', '2026-02-30'],
  ['the 29th of February of another year', '2026-02-29'],
  ['the 29th of February of a century', '1900-02-29'],
  ['a month that is none', '2026-13-01'],
  ['the year zero', '0000-01-01'],
  ['an hour that is none', '2026-02-01T25:00:00Z'],
  ['a plus that has become a blank', '2026-02-01T00:30:00 02:00'],
  ['an offset without a time', '2026-02-01+02:00'],
  ['American order', '02/01/2026'],
  ['Unix time', '1769904000'],
  ['something around it', ' 2026-02-01'],
  ['a list', ['2026-02-01', '2026-02-02']],
  ['null', null],
])('%s is no date', (_, date) => {
  for (const [member, name] of [
    ['fromDate', 'from_date'],
    ['toDate', 'to_date'],
  ] as const)
    expect(refusal({ [member]: date }).body()).toEqual({
      detail: { code: 'invalid_date_param', message: expect.stringContaining(name) },
    });
});

test.each<[string, DateRangeInput]>([
  ['from after to', { fromDate: '2026-02-02', toDate: '2026-02-01' }],
  ['from after to by a millisecond', { fromDate: '2026-02-01T00:00:00.001Z', toDate: FEB }],
  ['from after now', { fromDate: '2026-03-03' }],
])('%s is refused', (_, input) => expect(refusal(input).code).toBe('invalid_date_param'));

test('from_date may be any moment of the day that to_date names', () =>
  expect(read({ fromDate: '2026-02-01T23:59:59.999Z', toDate: '2026-02-01' })[0]).toBe(
    '2026-02-01T23:59:59.999Z',
  ));

function refusal(input: DateRangeInput): DomainError {
  try {
    readDateRange(input, NOW);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

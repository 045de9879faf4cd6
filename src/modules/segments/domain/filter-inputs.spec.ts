/** Tests the prefetch needs of filters, and the detection of circular references. */
import type { FilterGroup } from './filter.js';
import {
  findCycle,
  eventNamesOf,
  isTimeDependent,
  searchesAddresses,
  segmentIdsOf,
} from './filter-inputs.js';
import { readFilter } from './read-filter.js';

const idOf = (n: number): string => `0190a5d2-7c3e-7b61-9a3e-00000000000${n}`;
const filter = (...conditions: object[]): FilterGroup => readFilter({ match: 'all', conditions });
const group = (...conditions: object[]): object => ({ match: 'any', conditions });
const naming = (...ns: number[]): FilterGroup =>
  filter(...ns.map((n) => ({ segment_id: idOf(n), operator: 'not_in' })));

const WHERE = [{ field: 'at', operator: 'within_last_days', value: 3 }];

test('the names of events and segments, each once, at whatever depth', () => {
  const asked = filter(
    { event: 'paid' },
    group({ event: 'seen' }, group({ event: 'paid', operator: 'has_not_done' }, { segment_id: idOf(1) })),
    { segment_id: idOf(1), operator: 'not_in' },
    { segment_id: idOf(2) },
  );
  expect(eventNamesOf(asked)).toEqual(['paid', 'seen']);
  expect(segmentIdsOf(asked)).toEqual([idOf(1), idOf(2)]);
});

test.each([
  ['an empty one', filter(), false],
  ['a property', filter({ field: 'properties.a', operator: 'equals', value: 1 }), false],
  ['a date', filter({ field: 'created_at', operator: 'before', value: '2026-01-01' }), false],
  ['an event', filter({ event: 'paid', at_least: 2 }), false],
  ['a relative date', filter({ field: 'created_at', operator: 'within_last_days', value: 3 }), true],
  [
    'a relative date far off',
    filter({ field: 'properties.d', operator: 'within_next_days', value: 3 }),
    true,
  ],
  ['a date long ago', filter(group({ field: 'created_at', operator: 'more_than_days_ago', value: 3 })), true],
  ['a recent event', filter(group(group({ event: 'paid', within_days: 3 }))), true],
  ['an attribute that is a recent date', filter({ event: 'paid', where: WHERE }), true],
])('time changes who is in: %s', (_, asked, expected) => expect(isTimeDependent(asked)).toBe(expected));

describe('a circle', () => {
  const filters = new Map([
    [idOf(2), naming(3)],
    [idOf(3), naming(4, 1)],
    [idOf(4), naming()],
    [idOf(5), naming(6)],
    [idOf(6), naming(5)],
  ]);
  const chain = (asked: FilterGroup): (string | undefined)[] | undefined =>
    findCycle(idOf(1), asked, (id) => filters.get(id))?.map((id) => id.at(-1));

  test.each([
    ['of the segment itself', naming(1), ['1', '1']],
    ['through two', naming(3), ['1', '3', '1']],
    ['through three', naming(4, 2), ['1', '2', '3', '1']],
    ['in a group', filter(group({ segment_id: idOf(2) })), ['1', '2', '3', '1']],
    ['that is none', naming(4), undefined],
    ['of others alone', naming(5), undefined],
    ['of segments that do not exist', naming(7), undefined],
  ])('%s', (_, asked, expected) => expect(chain(asked)).toEqual(expected));
});

test.each([
  ['nothing', filter(), false],
  ['whether there is an address', filter({ field: 'email', operator: 'exists' }), false],
  ['a whole address', filter({ field: 'email', operator: 'equals', value: 'ada@example.com' }), false],
  ['the domain', filter({ field: 'email', operator: 'ends_with', value: '@Example.com' }), false],
  ['a domain and more', filter({ field: 'email', operator: 'ends_with', value: '@a@example.com' }), true],
  [
    'an id that is an address',
    filter({ field: 'external_id', operator: 'ends_with', value: '@b.test' }),
    true,
  ],
  ['a part of the domain', filter({ field: 'email', operator: 'ends_with', value: 'ample.com' }), true],
  ['an end of the name', filter({ field: 'email', operator: 'ends_with', value: 'a@example.com' }), true],
  ['a beginning', filter({ field: 'email', operator: 'starts_with', value: 'a' }), true],
  ['what a domain begins with', filter({ field: 'email', operator: 'contains', value: '@ex' }), true],
  ['what is not in it', filter({ field: 'email', operator: 'not_contains', value: 'x' }), true],
  [
    'a number within groups',
    filter(group(group({ field: 'phone', operator: 'contains', value: '1' }))),
    true,
  ],
  ['an id', filter({ field: 'external_id', operator: 'starts_with', value: 'a' }), true],
  ['a name', filter({ field: 'first_name', operator: 'starts_with', value: 'a' }), false],
])('parts of addresses are looked for: %s', (_, asked, expected) =>
  expect(searchesAddresses(asked)).toBe(expected),
);

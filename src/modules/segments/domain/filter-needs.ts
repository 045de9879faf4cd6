/** What a filter has to be told of before it can be decided, and how long a decision lasts. */
import { snakeCase } from '../../../kernel/letter-case.js';
import type { FieldCondition, FilterCondition, FilterGroup, TextField, ValueTest } from './filter.js';
import { isSearch } from './operators.js';

/** The names of the events that the filter asks about, each once. */
export function eventNamesOf(filter: FilterGroup): string[] {
  return distinct(filter, (condition) => (condition.kind === 'event' ? [condition.eventName] : []));
}

/** The ids of the segments that the filter names, each once. */
export function segmentIdsOf(filter: FilterGroup): string[] {
  return distinct(filter, (condition) => (condition.kind === 'segment' ? [condition.segmentId] : []));
}

const RELATIVE: readonly ValueTest['operator'][] = [
  'within_last_days',
  'more_than_days_ago',
  'within_next_days',
];

/** Whether the passing of time alone may change who is in the segment; other segments that it names aside. */
export function isTimeDependent(filter: FilterGroup): boolean {
  const isRelative = ({ operator }: ValueTest): boolean => RELATIVE.includes(operator);
  return everyCondition(filter).some(
    (condition) =>
      (condition.kind === 'field' && isRelative(condition.test)) ||
      (condition.kind === 'event' &&
        (condition.withinDays !== null || condition.where.some(({ test }) => isRelative(test)))),
  );
}

/** Of an email all that is behind the name. */
const DOMAIN = /^@[^@]+$/;
/** The fields that hold how a person is reached. */
const ADDRESSES: readonly TextField[] = ['externalId', 'email', 'phone'];

/** Whether a field, as filters name it, holds how a person is reached. */
export function namesAddress(field: string): boolean {
  return ADDRESSES.some((one) => snakeCase(one) === field);
}

/**
 * Whether the filter looks for parts of addresses: who may ask that often enough has read the whole address, sign by
 * sign. The domain of an email, as a whole, is no such part.
 */
export function looksIntoAddresses(filter: FilterGroup): boolean {
  return everyCondition(filter).some((condition) => condition.kind === 'field' && looksInto(condition));
}

function looksInto({ place, test }: FieldCondition): boolean {
  if (place.kind !== 'text' || !ADDRESSES.includes(place.field) || !isSearch(test.operator)) return false;
  const isDomain = place.field === 'email' && test.operator === 'ends_with' && DOMAIN.test(test.text);
  return !isDomain;
}

/**
 * A chain of segments that leads from one back to itself, were it to have this filter; undefined when there is none.
 * @param filterOf the stored filters of the others.
 */
export function circleThrough(
  segmentId: string,
  filter: FilterGroup,
  filterOf: (segmentId: string) => FilterGroup | undefined,
): string[] | undefined {
  const seen = new Set<string>();
  const search = (from: FilterGroup, chain: readonly string[]): string[] | undefined => {
    for (const id of segmentIdsOf(from)) {
      if (id === segmentId) return [...chain, id];
      if (seen.has(id)) continue;
      seen.add(id);
      const next = filterOf(id);
      const circle = next && search(next, [...chain, id]);
      if (circle) return circle;
    }
    return undefined;
  };
  return search(filter, [segmentId]);
}

function distinct(filter: FilterGroup, named: (condition: FilterCondition) => readonly string[]): string[] {
  return [...new Set(everyCondition(filter).flatMap(named))];
}

function everyCondition(condition: FilterCondition): FilterCondition[] {
  return condition.kind === 'group'
    ? [condition, ...condition.conditions.flatMap(everyCondition)]
    : [condition];
}

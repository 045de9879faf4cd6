/** The data a filter needs before it can be decided, and whether time alone changes the decision. */
import { snakeCase } from '../../../kernel/letter-case.js';
import { isNumber } from '../../../kernel/exact-number.js';
import type { FieldCondition, FilterCondition, FilterGroup, TextField, ValueTest } from './filter.js';
import { isSearch } from './operators.js';

/** The names of the events that the filter uses, distinct. */
export function eventNamesOf(filter: FilterGroup): string[] {
  return distinct(filter, (condition) => (condition.kind === 'event' ? [condition.eventName] : []));
}

/** The ids of the segments that the filter names, distinct. */
export function segmentIdsOf(filter: FilterGroup): string[] {
  return distinct(filter, (condition) => (condition.kind === 'segment' ? [condition.segmentId] : []));
}

const RELATIVE: readonly ValueTest['operator'][] = [
  'within_last_days',
  'more_than_days_ago',
  'within_next_days',
];

/** Whether time alone may change who is in the segment, without regard to other segments that it names. */
export function isTimeDependent(filter: FilterGroup): boolean {
  const isRelative = ({ operator }: ValueTest): boolean => RELATIVE.includes(operator);
  return everyCondition(filter).some(
    (condition) =>
      (condition.kind === 'field' && isRelative(condition.test)) ||
      (condition.kind === 'event' &&
        (condition.withinDays !== null || condition.where.some(({ test }) => isRelative(test)))),
  );
}

/** A complete email domain, from the `@` on. */
const DOMAIN = /^@[^@]+$/;
/** The fields with addresses or identifiers of a person. */
const ADDRESSES: readonly TextField[] = ['externalId', 'email', 'phone'];

/** Whether a field, by its name in filters, holds an address or identifier of a person. */
export function namesAddress(field: string): boolean {
  return ADDRESSES.some((one) => snakeCase(one) === field);
}

/**
 * Whether the filter searches parts of addresses: with enough such queries, a caller could read a whole address
 * character by character. The complete domain of an email does not count as a part.
 */
export function searchesAddresses(filter: FilterGroup): boolean {
  return everyCondition(filter).some((condition) => condition.kind === 'field' && searchesAddress(condition));
}

function searchesAddress({ fieldRef, test }: FieldCondition): boolean {
  if (fieldRef.kind !== 'text' || !ADDRESSES.includes(fieldRef.field) || !isSearch(test.operator))
    return false;
  const isDomain = fieldRef.field === 'email' && test.operator === 'ends_with' && DOMAIN.test(test.text);
  return !isDomain;
}

/**
 * A chain of segments that would lead from one back to itself with this filter; undefined if there is none.
 * @param filterOf the stored filters of the others.
 */
export function findCycle(
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
      const cycle = next && search(next, [...chain, id]);
      if (cycle) return cycle;
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

/** Paths into the properties, distinct. */
export function numberPaths(condition: FilterCondition): readonly (readonly string[])[] {
  const paths = new Map(pathsIn(condition).map((path) => [path.join('.'), path]));
  return [...paths.values()];
}

function pathsIn(condition: FilterCondition): readonly (readonly string[])[] {
  if (condition.kind === 'group') return condition.conditions.flatMap(pathsIn);
  if (condition.kind !== 'field' || condition.fieldRef.kind !== 'json') return [];
  return comparesNumber(condition.test) ? [condition.fieldRef.path] : [];
}

function comparesNumber(test: ValueTest): boolean {
  if ('number' in test) return true;
  if ('value' in test) return isNumber(test.value);
  return 'values' in test && test.values.every(isNumber);
}

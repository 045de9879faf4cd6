/** Finds the properties that a filter compares with numbers. */
import { isNumber } from '../../../kernel/exact-number.js';
import type { FilterCondition, ValueTest } from './filter.js';

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

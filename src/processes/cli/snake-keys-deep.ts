/** Formats records for command line output, with the member names of REST. */
import { snakeCase } from '../../kernel/letter-case.js';

/** Converts a record to snake case at every level. The content of `facts` is already in snake case. */
export function snakeKeysDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one): unknown => snakeKeysDeep(one));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      snakeCase(name),
      name === 'facts' ? one : snakeKeysDeep(one),
    ]),
  );
}

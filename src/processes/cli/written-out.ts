/** Records as the command line prints them: under the names of REST, as everything that is written for others. */
import { snakeCase } from '../../kernel/letter-case.js';

/** A record with its members, and theirs, in snake case; what stands in `facts` is written so already. */
export function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one): unknown => writtenOut(one));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [snakeCase(name), name === 'facts' ? one : writtenOut(one)]),
  );
}

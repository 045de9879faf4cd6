/**
 * Makes column names valid: unique, not empty, not too long, and safe as keys of an object (no prototype pollution).
 */
import { truncate } from '../../../../kernel/text-length.js';

/** Maximum length of a column's name, in characters. */
export const MAX_COLUMN_NAME_LENGTH = 255;

/**
 * The names of a header's cells. A duplicate gets a suffix, such as `plan_2`; an empty one is named by its position.
 */
export function columnsOf(header: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return header.map((cell, index) => {
    const name = plainName(cell, index);
    let unique = name;
    for (let count = counts.get(name) ?? 1; taken.has(unique);) {
      count++;
      counts.set(name, count);
      unique = `${name}_${count}`;
    }
    taken.add(unique);
    return unique;
  });
}

function plainName(cell: string, index: number): string {
  const name = truncate(cell.trim(), MAX_COLUMN_NAME_LENGTH);
  return name === '' || name === '__proto__' ? `column_${index + 1}` : name;
}

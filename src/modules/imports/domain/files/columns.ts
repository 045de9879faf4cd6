/** Names of columns: each once, none empty, none too long, none that poisons prototypes. */
import { beginningOf } from '../../../../kernel/text-length.js';

/** Characters of a column's name. */
export const LONGEST_COLUMN = 255;

/** The names of a header's cells; one that stands twice gets a suffix, as `plan_2`, an empty one the number of its place. */
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
  const name = beginningOf(cell.trim(), LONGEST_COLUMN);
  return name === '' || name === '__proto__' ? `column_${index + 1}` : name;
}

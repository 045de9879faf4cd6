/**
 * Finds a name in data: by exact key, else with case, spaces, hyphens and underscores folded. Only own properties
 * are read, so `__proto__` and `constructor` are ordinary missing names.
 *
 * Dark corners:
 * - If several keys fold to the same name the order is: exact, `snake_case`, `camelCase`, then the first in the data.
 * - A key whose value is null counts as missing, so that the next place is asked (`properties` behind a standard
 *   field, the contact behind the trigger event).
 * - Lists are asked by index only (`the Items.0`), counted from 0; `length` is no name.
 */

type Data = Record<string, unknown>;

const MAX_FOLDED = 20_000;
const folded = new Map<string, string>();

/** `First Name`, `first_name`, `first-name` and `firstName` all become `firstname`. */
export function foldName(name: string): string {
  let result = folded.get(name);
  if (result === undefined) {
    result = name.replace(/[\s_-]+/g, '').toLowerCase();
    if (folded.size >= MAX_FOLDED) folded.clear();
    folded.set(name, result);
  }
  return result;
}

/** A name prepared for looking up many times. */
export interface NameKey {
  /** The keys to be tried before all others. */
  readonly spellings: readonly string[];
  readonly folded: string;
}

/** Prepares `name`; costs more than a look-up, so it is done once per template. */
export function nameKey(name: string): NameKey {
  const words = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  const camel = words.map((word, index) =>
    index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
  const spellings = new Set([name, words.join('_'), camel.join('')]);
  return { spellings: [...spellings], folded: foldName(name) };
}

/** Whether `value` is an object whose properties may be read by name. */
export function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The value of the first usual spelling of `key` that `data` has; undefined if missing or null. */
export function readSpelled(data: Data, key: NameKey): unknown {
  for (const spelling of key.spellings) {
    const value = data[spelling];
    if (value !== undefined && value !== null && Object.hasOwn(data, spelling)) return value;
  }
  return undefined;
}

/** The first value in `data` whose key folds to `key`; undefined if missing or null. */
export function readFolded(data: Data, key: NameKey): unknown {
  for (const name in data) {
    if (foldName(name) !== key.folded || !Object.hasOwn(data, name)) continue;
    const value = data[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The field `key` of any value; undefined if it has none. */
export function readField(value: unknown, key: NameKey): unknown {
  if (Array.isArray(value)) {
    const index = key.spellings[0] ?? '';
    return /^\d{1,6}$/.test(index) ? (value as unknown[])[Number(index)] : undefined;
  }
  return isData(value) ? (readSpelled(value, key) ?? readFolded(value, key)) : undefined;
}

/**
 * Finds a name in data: by exact key, else with case, spaces, hyphens and underscores folded. Only own properties are
 * read, so `__proto__` and `constructor` are ordinary missing names.
 *
 * Edge cases:
 * - An umlaut can be one character or a letter with a combining mark, depending on the system: both fold to the same.
 * - If several keys fold to the same name the order is: exact, `snake_case`, `camelCase`, then the first in the data.
 * - A key whose value is null counts as missing, so the next location is checked (`properties` after a standard field,
 *   the contact after the trigger event). If no location has a value but one has null, the result is null, not
 *   undefined.
 * - Lists, and the characters of texts, are read by index only (`the Items.0`), counted from 0; `length` is not a name.
 * - Reading keys counts as work of the rendering: a contact may have thousands.
 */
import { ExactNumber } from '../../kernel/exact-number.js';
import { GenerationalCache } from './generational-cache.js';
import { WORK_COST } from './limits.js';

type Data = Record<string, unknown>;

const MAX_NAMES = 20_000;
const foldedNames = new GenerationalCache<string>(MAX_NAMES);

/** `First Name`, `first_name`, `first-name` and `firstName` all become `firstname`. */
export function foldName(name: string): string {
  return foldedNames.get(name, fold);
}

function fold(name: string): string {
  return name
    .replace(/[\s_-]+/g, '')
    .toLowerCase()
    .normalize('NFC');
}

/** A name prepared for repeated lookups. */
export interface NameKey {
  /** The keys to try before all others. */
  readonly spellings: readonly string[];
  readonly folded: string;
}

const nameKeys = new GenerationalCache<NameKey>(MAX_NAMES);

/** Prepares `name`; costs more than a lookup, so it is done once per template. */
export function nameKey(name: string): NameKey {
  return nameKeys.get(name, makeKey);
}

/** The words of a name in lower case: `First Name`, `first_name` and `firstName` all have two. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** `First Name`, `first-name` and `firstName` all become `first_name`. */
export function snakeCase(name: string): string {
  return wordsOf(name).join('_');
}

function makeKey(name: string): NameKey {
  const words = wordsOf(name);
  const camel = words.map((word, index) =>
    index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
  const spellings = new Set([name, words.join('_'), camel.join('')]);
  return { spellings: [...spellings], folded: foldName(name) };
}

/** Whether `value` is an object whose properties may be read by name. */
export function isData(value: unknown): value is Data {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof ExactNumber)
  );
}

/** Whether a location has a value; if it has none, or null, the next location is checked. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The result if no location has a value: null if one of them has null. */
export function nullIfAnyNull(...values: readonly unknown[]): null | undefined {
  return values.includes(null) ? null : undefined;
}

/** The value of the first usual spelling of `key` in `data`; null if there are only nulls, undefined if missing. */
export function readBySpelling(data: Data, key: NameKey): unknown {
  let found: null | undefined;
  for (const spelling of key.spellings) {
    const value = data[spelling];
    if (value === undefined || !Object.hasOwn(data, spelling)) continue;
    if (value !== null) return value;
    found = null;
  }
  return found;
}

/** Caches what a rendering has learned about its data, and counts the work of lookups. */
export interface LookupState {
  /** The keys of large objects by folded name. */
  readonly folded: Map<object, ReadonlyMap<string, string>>;
  spend(amount: number): void;
}

/** Objects with more keys are indexed once and cached for the rest of the rendering. */
const MAX_UNINDEXED_KEYS = 16;

/** The first value in `data` whose key folds to `key`; null if there are only nulls, undefined if missing. */
export function readByFoldedName(data: Data, key: NameKey, state: LookupState): unknown {
  const known = state.folded.get(data);
  if (known !== undefined) {
    const name = known.get(key.folded);
    return name === undefined ? undefined : data[name];
  }
  const names = Object.keys(data);
  state.spend(names.length * WORK_COST.key);
  if (names.length > MAX_UNINDEXED_KEYS) {
    state.folded.set(data, namesByFolded(data, names));
    return readByFoldedName(data, key, state);
  }
  let found: null | undefined;
  for (const name of names) {
    if (foldName(name) !== key.folded) continue;
    const value = data[name];
    if (value !== undefined && value !== null) return value;
    if (value === null) found = null;
  }
  return found;
}

function namesByFolded(data: Data, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const folded = foldName(name);
    const value = data[name];
    const known = found.get(folded);
    if (value === undefined || (known !== undefined && (value === null || data[known] !== null))) continue;
    found.set(folded, name);
  }
  return found;
}

/** A character (code point) of a text. */
function characterAt(text: string, index: number, state: LookupState): string | undefined {
  state.spend(Math.min(index, text.length));
  let remaining = index;
  for (const character of text) if (remaining-- === 0) return character;
  return undefined;
}

/** The field `key` of any value; undefined if it has none. */
export function readField(value: unknown, key: NameKey, state: LookupState): unknown {
  state.spend(WORK_COST.name);
  if (Array.isArray(value) || typeof value === 'string') {
    const index = key.spellings[0] ?? '';
    if (!/^\d{1,6}$/.test(index)) return undefined;
    return typeof value === 'string'
      ? characterAt(value, Number(index), state)
      : (value as unknown[])[Number(index)];
  }
  if (!isData(value)) return undefined;
  const spelled = readBySpelling(value, key);
  if (isPresent(spelled)) return spelled;
  const foldedValue = readByFoldedName(value, key, state);
  return isPresent(foldedValue) ? foldedValue : nullIfAnyNull(spelled, foldedValue);
}

/**
 * Resolves dotted names in JSON whose keys may themselves contain dots, such as `utm.source`. Segments, checks and
 * templates all use the same order. A key whose value is null counts as missing.
 */
import { isJsonObject, type JsonObject } from './json.js';

/** In longer paths at most one key may contain dots, so that a lookup stays cheap. */
const MAX_FREELY_JOINED = 5;
/** In longer paths no key may contain dots. */
const MAX_JOINED = 10;

const cache = new WeakMap<readonly string[], readonly (readonly string[])[]>();

/** Every way to split the names into keys, in the order in which they are tried: the longest key first. */
export function keyPathsOf(names: readonly string[]): readonly (readonly string[])[] {
  let paths = cache.get(names);
  if (paths === undefined) {
    paths = splitsOf(names);
    cache.set(names, paths);
  }
  return paths;
}

function splitsOf(names: readonly string[]): (readonly string[])[] {
  if (names.length > MAX_JOINED) return [names];
  return names.length > MAX_FREELY_JOINED ? withOneJoinedKey(names) : withJoinedKeys(names);
}

function withJoinedKeys(names: readonly string[]): (readonly string[])[] {
  if (names.length === 0) return [[]];
  return lengthsDown(names.length).flatMap((length) =>
    withJoinedKeys(names.slice(length)).map((rest) => [joined(names, length), ...rest]),
  );
}

function withOneJoinedKey(names: readonly string[]): (readonly string[])[] {
  if (names.length === 0) return [[]];
  return lengthsDown(names.length).flatMap((length) => {
    const rest = names.slice(length);
    const rests = length > 1 ? [rest] : withOneJoinedKey(rest);
    return rests.map((keys) => [joined(names, length), ...keys]);
  });
}

function lengthsDown(from: number): number[] {
  return Array.from({ length: from }, (_, index) => from - index);
}

function joined(names: readonly string[], length: number): string {
  return names.slice(0, length).join('.');
}

/** The value at a dotted path; undefined if there is none. Arrays have no names. */
export function valueAtPath(json: JsonObject, names: readonly string[]): unknown {
  for (const keys of keyPathsOf(names)) {
    const value = keys.reduce<unknown>(memberOf, json);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Checks which JSON from outside can be stored, and compares JSON values. */
import { ExactNumber } from './exact-number.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Any value that JSON can represent. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** Whether a value is a JSON object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** NUL and lone surrogates are valid in JSON, but PostgreSQL text cannot store them. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Whether the output of JSON.stringify can be stored. */
export function isStorableJson(text: string): boolean {
  return !text.includes('\\u') || !UNSTORABLE_ESCAPE.test(text);
}

/** Whether a text can be stored: it contains no NUL and no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Whether all numbers of a JSON value are finite. A literal such as 1e400 is parsed as Infinity, which JSON cannot
 * represent.
 * @param json the value as written by JSON.stringify, where such a number is null.
 */
export function isFiniteJson(value: unknown, json: string): boolean {
  return !json.includes('null') || holdsFiniteNumbers(value);
}

/** Whether a value contains no infinite number. */
export function holdsFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(holdsFiniteNumbers);
}

/** The nesting depth of objects and arrays. Stops counting beyond `limit`. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  if (limit <= 0) return 1;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return deepest + 1;
}

/** Maximum nesting depth: more than any JSON of the API needs, and safe for every recursive function. */
export const MAX_DEPTH = 64;

/** The error for a number that exceeds every double, such as 1e400. It is parsed as Infinity and cannot be stored. */
export const OUT_OF_RANGE = 'contains a number that is out of range';
const PROTOTYPE_POLLUTION = 'contains a key that is not allowed: __proto__ or constructor.prototype';
export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/**
 * Checks a JSON value for content that later code cannot handle: keys that cause prototype pollution when assigned,
 * nesting that overflows the stack, and numbers that cannot be stored. Visits each value once.
 * @returns the rest of a sentence that starts with "The body", without a full stop; undefined if the value is valid.
 */
export function flawOf(value: unknown): string | undefined {
  return flawWithin(value, MAX_DEPTH);
}

function flawWithin(value: unknown, levels: number): string | undefined {
  if (typeof value !== 'object' || value === null) return isInfinite(value) ? OUT_OF_RANGE : undefined;
  if (value instanceof ExactNumber) return undefined;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      const flaw = flawWithin(item, levels - 1);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  }
  // Parsed JSON inherits no enumerable members, so `for…in` is safe; it is the fastest way to iterate.
  for (const key in value) {
    const inner = (value as JsonObject)[key];
    if (key === '__proto__' || (key === 'constructor' && holdsPrototype(inner))) return PROTOTYPE_POLLUTION;
    if (typeof inner !== 'object') {
      if (isInfinite(inner)) return OUT_OF_RANGE;
      continue;
    }
    const flaw = flawWithin(inner, levels - 1);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function isInfinite(value: unknown): boolean {
  return value === Infinity || value === -Infinity;
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

/** Whether two JSON values are equal. The order of an object's members does not matter. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left instanceof ExactNumber) return right instanceof ExactNumber && left.text === right.text;
  if (Array.isArray(left) || Array.isArray(right))
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index]))
    );
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}

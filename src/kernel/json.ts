/** What may be stored of JSON that came from outside, and how two JSON values are compared. */
import { ExactNumber } from './exact-number.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What JSON can say. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** Whether a value is a JSON object: no array, no null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** NUL and lone surrogates are valid in JSON and in no text of PostgreSQL. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Whether a text that JSON.stringify made can be stored. */
export function isStorableJson(text: string): boolean {
  return !text.includes('\\u') || !UNSTORABLE_ESCAPE.test(text);
}

/** Whether a text can be stored: no NUL, no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Whether every number of a JSON value is one: a literal such as 1e400 is read as Infinity, which JSON cannot say.
 * @param json the value as JSON.stringify makes it, in which such a number is null.
 */
export function isFiniteJson(value: unknown, json: string): boolean {
  return !json.includes('null') || holdsFiniteNumbers(value);
}

/** Whether no number of a value is infinite. */
export function holdsFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(holdsFiniteNumbers);
}

/** How many objects and arrays stand inside each other at most; stops counting beyond `limit`. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  if (limit <= 0) return 1;
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return deepest + 1;
}

/** Deeper than any JSON of the interface needs, shallower than any recursion over one can bear. */
export const DEEPEST = 64;

/** The flaw of a number that no double holds, such as 1e400, which is read as Infinity and cannot be stored. */
export const OUT_OF_RANGE = 'contains a number that is out of range';
const POISONED = 'contains a key that is not allowed: __proto__ or constructor.prototype';
export const TOO_DEEP = `is nested deeper than ${DEEPEST} levels`;

/**
 * Why a JSON value would break something further in: keys that poison prototypes where somebody assigns them, nesting
 * that overflows a stack, or a number that cannot be stored. Looks at each value once.
 * @returns what goes on after "The body", without a full stop; undefined for what is sound.
 */
export function flawOf(value: unknown): string | undefined {
  return flawWithin(value, DEEPEST);
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
  // What was read from JSON inherits nothing that is enumerable; this is the fastest way through it.
  for (const key in value) {
    const inner = (value as JsonObject)[key];
    if (key === '__proto__' || (key === 'constructor' && holdsPrototype(inner))) return POISONED;
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

/** Whether two JSON values say the same; the order of an object's members does not matter. */
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

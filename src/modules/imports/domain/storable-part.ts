/**
 * Extracts the valid part of a JSON object that contains something that cannot be stored: a number beyond the range
 * of doubles, a key that pollutes prototypes, a text with NUL or a lone surrogate, excessive nesting. The part does
 * not become a contact, but an opt-out in it is respected.
 */
import { ExactNumber } from '../../../kernel/exact-number.js';
import { MAX_DEPTH, isJsonObject, isStorableText, type JsonObject } from '../../../kernel/json.js';

const FLAW = Symbol('flaw');

/** The members that can be stored. Invalid members are left out at every level. Visits each value once. */
export function storablePart(object: JsonObject): JsonObject {
  return storableMembers(object, MAX_DEPTH);
}

/**
 * The same, for an object that is passed on as if it were complete; `flawIn` returns the flaw. @param flaw such as
 * `holds …`.
 */
export function markedStorablePart(object: JsonObject, flaw: string): JsonObject {
  return { ...storablePart(object), [FLAW]: flaw };
}

/** The flaw of the object from which a part was taken; undefined for a complete object. */
export function flawIn(value: unknown): string | undefined {
  return isJsonObject(value) ? (value as { readonly [FLAW]?: string })[FLAW] : undefined;
}

function storableMembers(object: JsonObject, levels: number): JsonObject {
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (name === '__proto__' || !isStorableText(name) || !isStorable(value)) continue;
    if (name === 'constructor' && isJsonObject(value) && Object.hasOwn(value, 'prototype')) continue;
    if (!isNested(value)) members.push([name, value]);
    else if (levels > 1) members.push([name, storableNested(value, levels - 1)]);
  }
  return Object.fromEntries(members);
}

function storableNested(value: object, levels: number): unknown {
  if (!Array.isArray(value)) return storableMembers(value as JsonObject, levels);
  return (value as readonly unknown[]).filter(isStorable).flatMap((item) => {
    if (!isNested(item)) return [item];
    return levels > 1 ? [storableNested(item, levels - 1)] : [];
  });
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function isStorable(value: unknown): boolean {
  return typeof value === 'string'
    ? isStorableText(value)
    : typeof value !== 'number' || Number.isFinite(value);
}

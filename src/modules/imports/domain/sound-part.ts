/**
 * Extracts the valid part of a JSON object that contains something that cannot be stored: a number beyond the range
 * of doubles, a key that pollutes prototypes, a text with NUL or a lone surrogate, excessive nesting. The part does
 * not become a contact, but an opt-out in it is respected.
 */
import { ExactNumber } from '../../../kernel/exact-number.js';
import { DEEPEST, isJsonObject, isStorableText, type JsonObject } from '../../../kernel/json.js';

const FLAW = Symbol('flaw');

/** The members that can be stored. Invalid members are left out at every level. Visits each value once. */
export function soundPart(object: JsonObject): JsonObject {
  return soundMembers(object, DEEPEST);
}

/**
 * The same, for an object that is passed on as if it were complete; `flawIn` returns the flaw. @param flaw such as
 * `holds …`.
 */
export function flawedPart(object: JsonObject, flaw: string): JsonObject {
  return { ...soundPart(object), [FLAW]: flaw };
}

/** The flaw of the object from which a part was taken; undefined for a complete object. */
export function flawIn(value: unknown): string | undefined {
  return isJsonObject(value) ? (value as { readonly [FLAW]?: string })[FLAW] : undefined;
}

function soundMembers(object: JsonObject, levels: number): JsonObject {
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (name === '__proto__' || !isStorableText(name) || !isSound(value)) continue;
    if (name === 'constructor' && isJsonObject(value) && Object.hasOwn(value, 'prototype')) continue;
    if (!isNested(value)) members.push([name, value]);
    else if (levels > 1) members.push([name, soundNested(value, levels - 1)]);
  }
  return Object.fromEntries(members);
}

function soundNested(value: object, levels: number): unknown {
  if (!Array.isArray(value)) return soundMembers(value as JsonObject, levels);
  return (value as readonly unknown[]).filter(isSound).flatMap((item) => {
    if (!isNested(item)) return [item];
    return levels > 1 ? [soundNested(item, levels - 1)] : [];
  });
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function isSound(value: unknown): boolean {
  return typeof value === 'string'
    ? isStorableText(value)
    : typeof value !== 'number' || Number.isFinite(value);
}

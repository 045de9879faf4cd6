/**
 * Computes the difference of two documents of the visual editor as an RFC 6902 patch, section 2.7. The library
 * compares arrays in time proportional to the product of their lengths. This code therefore keeps the common start
 * and end of two arrays, and compares the rest pair by pair.
 */
import { createPatch, type Operation } from 'rfc6902';
import { ExactNumber } from '../../../kernel/exact-number.js';
import { sameJson, type JsonObject } from '../../../kernel/json.js';

export type AstPatch = readonly Operation[];

/**
 * Characters of JSON of one document. The library passes a member's operations as call arguments, whose number is
 * limited.
 */
const MAX_DOCUMENT_CHARACTERS = 128 * 1024;
/** Characters of all paths of one document: each operation of a patch contains its whole path. */
const MAX_PATH_CHARACTERS = 4 * 1024 * 1024;

type ArrayDiff = NonNullable<Parameters<typeof createPatch>[2]>;
type Pointer = Parameters<ArrayDiff>[2];

/**
 * The patch from one document to the next; empty if they are equal.
 * @returns null if either document is missing, or one is too large.
 */
export function astPatch(from: JsonObject | null, to: JsonObject | null): AstPatch | null {
  if (!from || !to) return null;
  if (from === to) return [];
  return from && to && isPatchable(from, to) ? createPatch(from, to, arrayPatch) : null;
}

/** Whether two documents are small enough to be compared. */
export function isPatchable(from: JsonObject, to: JsonObject): boolean {
  return [from, to].every(
    (document) => JSON.stringify(document).length <= MAX_DOCUMENT_CHARACTERS && hasShortPaths(document),
  );
}

function hasShortPaths(document: JsonObject): boolean {
  return lengthOfPaths(document, 0) <= MAX_PATH_CHARACTERS;
}

/** Total length of the paths of everything inside a value whose own path has `length` characters. */
function lengthOfPaths(value: unknown, length: number): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return length;
  let sum = length;
  for (const [key, inner] of Object.entries(value)) sum += lengthOfPaths(inner, length + key.length + 1);
  return sum;
}

const arrayPatch: ArrayDiff = (from: unknown, to: unknown, pointer) => {
  if (Array.isArray(from) && Array.isArray(to)) return patchOfArrays(from, to, pointer);
  // The library would treat these as objects and compare their members.
  if (from instanceof ExactNumber || to instanceof ExactNumber)
    return sameJson(from, to) ? [] : [{ op: 'replace', path: pointer.toString(), value: to }];
  return undefined;
};

function patchOfArrays(from: readonly unknown[], to: readonly unknown[], pointer: Pointer): Operation[] {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && sameJson(from[start], to[start])) start++;
  let end = 0;
  while (end < shorter - start && sameJson(from[from.length - 1 - end], to[to.length - 1 - end])) end++;

  const operations: Operation[] = [];
  for (let index = start; index < shorter - end; index++)
    operations.push(...patchEntry(from[index], to[index], pointer, index));
  for (let index = from.length - end - 1; index >= shorter - end; index--)
    operations.push({ op: 'remove', path: pathAt(pointer, index) });
  for (let index = shorter - end; index < to.length - end; index++)
    operations.push({ op: 'add', path: pathAt(pointer, index), value: to[index] });
  return operations;
}

function patchEntry(from: unknown, to: unknown, pointer: Pointer, index: number): Operation[] {
  const base = pathAt(pointer, index);
  return createPatch(from, to, arrayPatch).map((operation) => ({
    ...operation,
    path: base + operation.path,
  }));
}

function pathAt(pointer: Pointer, index: number): string {
  return pointer.add(String(index)).toString();
}

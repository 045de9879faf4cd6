/**
 * Limits of a template's fields, sections 2.7 and 8.3, for saving, previews and sending. Lengths are in characters.
 */
import { depthOf, isStorableJson, isStorableText } from '../../../kernel/json.js';

export const LONGEST_NAME = 255;
export const LONGEST_SUBJECT = 255;
/** A subject from another platform, whose tags are longer than their conversion. */
export const LONGEST_FOREIGN_SUBJECT = 2_000;
export const LONGEST_SUMMARY = 500;
/** A slug is part of an index, whose row size is limited. */
export const LONGEST_SLUG = 255;
/** 2 MB, in bytes of UTF-8. */
export const LARGEST_BODY = 2_097_152;
/** 2 MB, in bytes of UTF-8. */
export const LARGEST_DOCUMENT = 2_097_152;
const DEEPEST_JSON = 100;

export const SLUG = /^[a-z0-9-]+$/;
const NOT_STORABLE = 'must not contain NUL characters or unpaired surrogates';

/** Why a text cannot be a slug; undefined if it can. */
export function slugProblem(slug: string): string | undefined {
  return SLUG.test(slug) ? undefined : 'must only contain lowercase letters, digits and hyphens';
}

/** Why `body` cannot be the content of a template, other than being empty; undefined if it can. */
export function contentProblem(body: string): string | undefined {
  if (Buffer.byteLength(body) > LARGEST_BODY) return `must be at most ${LARGEST_BODY} bytes of UTF-8 (2 MB)`;
  return isStorableText(body) ? undefined : NOT_STORABLE;
}

/** Why a document of the visual editor cannot be saved; undefined if it can. */
export function treeProblem(tree: object): string | undefined {
  return jsonProblem(tree, Number.POSITIVE_INFINITY);
}

/** Like treeProblem, for the document that an editor stores with a version. */
export function documentProblem(document: object): string | undefined {
  return jsonProblem(document, LARGEST_DOCUMENT);
}

function jsonProblem(value: object, largest: number): string | undefined {
  if (depthOf(value, DEEPEST_JSON) > DEEPEST_JSON) return `must not be nested deeper than ${DEEPEST_JSON}`;
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > largest) return `must be at most ${largest} bytes of JSON (2 MB)`;
  return isStorableJson(json) ? undefined : NOT_STORABLE;
}

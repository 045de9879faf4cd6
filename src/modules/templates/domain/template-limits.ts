/**
 * Limits of a template's fields, sections 2.7 and 8.3, for saving, previews and sending. Lengths are in characters.
 */
import { depthOf, isStorableJson, isStorableText } from '../../../kernel/json.js';

export const MAX_TEMPLATE_NAME_LENGTH = 255;
export const MAX_SUBJECT_LENGTH = 255;
/** A subject from another platform, whose tags are longer than their conversion. */
export const MAX_FOREIGN_SUBJECT_LENGTH = 2_000;
export const MAX_SUMMARY_LENGTH = 500;
/** A slug is part of an index, whose row size is limited. */
export const MAX_SLUG_LENGTH = 255;
/** 2 MB, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 2_097_152;
/** 2 MB, in bytes of UTF-8. */
export const MAX_DOCUMENT_BYTES = 2_097_152;
const MAX_JSON_DEPTH = 100;

export const SLUG_PATTERN = /^[a-z0-9-]+$/;
const NOT_STORABLE_MESSAGE = 'must not contain NUL characters or unpaired surrogates';

/** Why a text cannot be a slug; undefined if it can. */
export function slugProblem(slug: string): string | undefined {
  return SLUG_PATTERN.test(slug) ? undefined : 'must only contain lowercase letters, digits and hyphens';
}

/** Why `body` cannot be the content of a template, other than being empty; undefined if it can. */
export function contentProblem(body: string): string | undefined {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    return `must be at most ${MAX_BODY_BYTES} bytes of UTF-8 (2 MB)`;
  return isStorableText(body) ? undefined : NOT_STORABLE_MESSAGE;
}

/** Why a document of the visual editor cannot be saved; undefined if it can. */
export function treeProblem(tree: object): string | undefined {
  return jsonProblem(tree, Number.POSITIVE_INFINITY);
}

/** Like treeProblem, for the document that an editor stores with a version. */
export function documentProblem(document: object): string | undefined {
  return jsonProblem(document, MAX_DOCUMENT_BYTES);
}

function jsonProblem(value: object, maxBytes: number): string | undefined {
  if (depthOf(value, MAX_JSON_DEPTH) > MAX_JSON_DEPTH)
    return `must not be nested deeper than ${MAX_JSON_DEPTH}`;
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > maxBytes) return `must be at most ${maxBytes} bytes of JSON (2 MB)`;
  return isStorableJson(json) ? undefined : NOT_STORABLE_MESSAGE;
}

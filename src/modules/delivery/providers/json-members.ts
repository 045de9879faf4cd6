/** Reads members of a provider's JSON. Missing and unexpected ones are ignored. */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { parseMoment } from '../../../kernel/parse-moment.js';

const MAX_TIMESTAMP_CHARS = 40;

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: JsonObject, name: string): JsonObject {
  const inner = memberOf(value, name);
  return isJsonObject(inner) ? inner : {};
}

/** A text without characters that PostgreSQL rejects: NUL, and unpaired surrogates. */
export function textOf(value: JsonObject, name: string, maxChars: number): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text.slice(0, maxChars).replaceAll('\0', '').toWellFormed() : undefined;
}

/** The first text that is not empty. */
export function firstText(
  sources: readonly JsonObject[],
  names: readonly string[],
  maxChars: number,
): string | undefined {
  for (const source of sources)
    for (const name of names) {
      const text = textOf(source, name, maxChars);
      if (text !== undefined && text !== '') return text;
    }
  return undefined;
}

/** Milliseconds since 1970. */
export function momentOf(value: JsonObject, name: string): number | undefined {
  const moment = memberOf(value, name);
  return typeof moment === 'string' && moment.length > MAX_TIMESTAMP_CHARS
    ? undefined
    : parseMoment(moment)?.instant;
}

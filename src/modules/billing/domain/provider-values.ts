/** Reads values of a provider's events. A value of an unexpected form counts as absent. */
import { MINUTE } from '../../../kernel/duration.js';
import { isJsonObject, isStorableText, type JsonObject } from '../../../kernel/json.js';
import { readIsoMoment } from '../../../kernel/iso-moment.js';
import { MAX_PROVIDER_NAME_LENGTH } from './billing-event.js';

export function objectIn(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isJsonObject(member) ? member : {};
}

export function textIn(value: JsonObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === 'string' && member.length <= MAX_PROVIDER_NAME_LENGTH && isStorableText(member)
    ? member
    : undefined;
}

/** An id, which providers write as a string or as a number. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const text = textIn({ value }, 'value');
  return text === undefined || text === '' ? null : text;
}

/** How far a provider's clock may be ahead of ours. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;

/** @param latest a time far after it is not trusted, and `latest` is returned instead. */
export function momentIn(value: JsonObject, name: string, latest?: Date): Date | undefined {
  const text = textIn(value, name);
  const written = text === undefined ? undefined : readIsoMoment(text);
  if (!written) return undefined;
  const moment = new Date(written.start);
  return latest && moment.getTime() > latest.getTime() + MAX_CLOCK_SKEW_MS ? latest : moment;
}

/**
 * Validates the attributes of an event, whether posted with the event or passed with a message that has no event, and
 * matches them against conditions.
 */
import { depthOf, isFiniteJson, isJsonObject, isStorableJson, sameJson, type JsonObject } from './json.js';
import { jsonText } from './json-text.js';

const MAX_ATTRIBUTES = 100;
const MAX_ATTRIBUTE_DEPTH = 5;

/** Returns the attributes as JSON text, or the reason why they are invalid. */
export function readAttributes(
  attributes: unknown,
): { readonly json: string; readonly wrong?: undefined } | { readonly wrong: string } {
  if (!isJsonObject(attributes)) return { wrong: 'must be an object' };
  if (Object.keys(attributes).length > MAX_ATTRIBUTES)
    return { wrong: `must have at most ${MAX_ATTRIBUTES} members` };
  if (depthOf(attributes, MAX_ATTRIBUTE_DEPTH) > MAX_ATTRIBUTE_DEPTH)
    return { wrong: `must not be nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels` };
  const json = jsonText(attributes);
  if (!isFiniteJson(attributes, json)) return { wrong: 'must not contain a number that is out of range' };
  return isStorableJson(json)
    ? { json }
    : { wrong: 'must not contain NUL characters or unpaired surrogates' };
}

/**
 * Matches an event's attributes against conditions, sections 2.3 and 2.5. Every key must be present with an equal
 * value. Empty conditions match every event.
 */
export function matchesAttributes(conditions: JsonObject, attributes: JsonObject): boolean {
  return Object.entries(conditions).every(
    ([key, expected]) => Object.hasOwn(attributes, key) && sameJson(expected, attributes[key]),
  );
}

/**
 * Matches an event's attributes against conditions, sections 2.3 and 2.5. Every key must be present with an equal
 * value. Empty conditions match every event.
 */
import { sameJson, type JsonObject } from './json.js';

export function matchesAttributes(conditions: JsonObject, attributes: JsonObject): boolean {
  return Object.entries(conditions).every(
    ([key, expected]) => Object.hasOwn(attributes, key) && sameJson(expected, attributes[key]),
  );
}

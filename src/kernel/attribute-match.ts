/**
 * Conditions on an event's attributes, sections 2.3 and 2.5: every key must be there with an equal value; no
 * condition at all matches every event.
 */
import { sameJson, type JsonObject } from './json.js';

/** Whether the attributes match every key/value of the conditions. */
export function matchesAttributes(conditions: JsonObject, attributes: JsonObject): boolean {
  return Object.entries(conditions).every(
    ([key, wanted]) => Object.hasOwn(attributes, key) && sameJson(wanted, attributes[key]),
  );
}

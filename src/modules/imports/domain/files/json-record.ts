/**
 * Parses a record from its JSON: an object whose members can be stored. If a name occurs twice, the last one counts.
 */
import {
  DEEPEST,
  flawOf,
  isJsonObject,
  isStorableJson,
  type JsonObject,
  TOO_DEEP,
} from '../../../../kernel/json.js';
import { type ExactBounds, jsonText, parseJson, TooManyExactNumbers } from '../../../../kernel/json-text.js';
import { fieldsFrom } from '../platforms/foreign-fields.js';
import { soundPart } from '../sound-part.js';
import { LONGEST_COLUMN } from './columns.js';
import { isDeeperThan } from './json-places.js';
import {
  LONGEST_RECORD,
  MOST_COLUMNS,
  NOT_STORABLE,
  type RawRecord,
  TOO_LONG,
  unreadable,
} from './raw-record.js';

/** Limits of exact numbers in one record. */
const MOST_EXACT: ExactBounds = { numbers: 1_000, characters: 65_536 };

/**
 * Length in characters from which brackets are counted first: parsing a bracket costs a hundred times more than
 * counting.
 */
const LONG = 4_096;

/** Leaves out null, empty strings, lists and objects, since they change nothing. */
export function jsonRecord(json: string): RawRecord {
  if (json.length > LONGEST_RECORD) return unreadable(TOO_LONG);
  if (json.length >= LONG && isDeeperThan(json, DEEPEST)) return unreadable(`The record ${TOO_DEEP}.`);
  let value: unknown;
  try {
    value = parseJson(json, MOST_EXACT);
  } catch (error) {
    return error instanceof TooManyExactNumbers
      ? unreadable('The record contains too many numbers with more digits than a double can hold.')
      : unreadable('The record is not valid JSON.', heardDespiteControls(json));
  }
  if (!isJsonObject(value)) return unreadable('The record is not a JSON object.');
  if (isTooWide(value)) return unreadable(`The record has more than ${MOST_COLUMNS} fields.`);
  const flaw = flawOf(value);
  if (flaw !== undefined) return unreadable(`The record ${flaw}.`, heardOf(value));
  // Only an escape or half of a surrogate pair can produce something that cannot be stored: a raw NUL is not valid
  // JSON.
  if ((json.includes('\\u') || !json.isWellFormed()) && !isStorableJson(jsonText(value)))
    return unreadable(NOT_STORABLE, heardOf(value));
  return { fields: sayingFields(value), problem: '' };
}

/** The value of a JSON text; undefined if it is invalid or cannot be stored. */
export function storableJson(json: string): unknown {
  if (json.length > LONGEST_RECORD || isDeeperThan(json, DEEPEST)) return undefined;
  try {
    const value: unknown = parseJson(json, MOST_EXACT);
    return flawOf(value) === undefined && isStorableJson(jsonText(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The part of an object that can be stored. */
function heardOf(value: JsonObject): JsonObject {
  return sayingFields(soundPart(value));
}

/** Control characters, which JSON does not allow in strings. */
const BLANKS = /[\t\n\r]/g;
const CONTROLS = /[\0-\x1f]/g;

/** What can be read of an object whose strings contain raw control characters, if its JSON is otherwise valid. */
function heardDespiteControls(json: string): JsonObject | undefined {
  const escaped = json.replace(BLANKS, ' ').replace(CONTROLS, '\\u0000');
  if (escaped === json) return undefined;
  try {
    const value = parseJson(escaped, MOST_EXACT);
    return isJsonObject(value) && !isTooWide(value) ? heardOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value itself if all its members are non-empty, which is the usual case. */
function sayingFields(value: JsonObject): JsonObject {
  for (const name in value) {
    const member = value[name];
    const isSaying =
      typeof member === 'string' ? member !== '' : member !== null && typeof member !== 'object';
    if (!isSaying || name === '' || name.length > LONGEST_COLUMN) return fieldsFrom(Object.entries(value));
  }
  return value;
}

function isTooWide(value: JsonObject): boolean {
  let fields = 0;
  for (const _ in value) if (++fields > MOST_COLUMNS) return true;
  return false;
}

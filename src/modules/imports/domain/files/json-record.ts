/**
 * Parses a record from its JSON: an object whose members can be stored. If a name occurs twice, the last one counts.
 */
import {
  MAX_DEPTH,
  flawOf,
  isJsonObject,
  isStorableJson,
  type JsonObject,
  TOO_DEEP,
} from '../../../../kernel/json.js';
import {
  type ExactNumberLimits,
  jsonText,
  parseJson,
  TooManyExactNumbers,
} from '../../../../kernel/json-text.js';
import { fieldsFrom } from '../platforms/source-fields.js';
import { storablePart } from '../storable-part.js';
import { MAX_COLUMN_NAME_LENGTH } from './columns.js';
import { isDeeperThan } from './json-value-end.js';
import {
  MAX_RECORD_CHARACTERS,
  MAX_COLUMNS,
  NOT_STORABLE,
  type RawRecord,
  TOO_LONG,
  unreadable,
} from './raw-record.js';

/** Limits of exact numbers in one record. */
const EXACT_NUMBER_LIMITS: ExactNumberLimits = { numbers: 1_000, characters: 65_536 };

/**
 * Length in characters from which brackets are counted first: parsing a bracket costs a hundred times more than
 * counting.
 */
const DEPTH_CHECK_LENGTH = 4_096;

/** Leaves out null, empty strings, lists and objects, since they change nothing. */
export function jsonRecord(json: string): RawRecord {
  if (json.length > MAX_RECORD_CHARACTERS) return unreadable(TOO_LONG);
  if (json.length >= DEPTH_CHECK_LENGTH && isDeeperThan(json, MAX_DEPTH))
    return unreadable(`The record ${TOO_DEEP}.`);
  let value: unknown;
  try {
    value = parseJson(json, EXACT_NUMBER_LIMITS);
  } catch (error) {
    return error instanceof TooManyExactNumbers
      ? unreadable('The record contains too many numbers with more digits than a double can hold.')
      : unreadable('The record is not valid JSON.', readableDespiteControls(json));
  }
  if (!isJsonObject(value)) return unreadable('The record is not a JSON object.');
  if (hasTooManyFields(value)) return unreadable(`The record has more than ${MAX_COLUMNS} fields.`);
  const flaw = flawOf(value);
  if (flaw !== undefined) return unreadable(`The record ${flaw}.`, readablePartOf(value));
  // Only an escape or half of a surrogate pair can produce something that cannot be stored: a raw NUL is not valid
  // JSON.
  if ((json.includes('\\u') || !json.isWellFormed()) && !isStorableJson(jsonText(value)))
    return unreadable(NOT_STORABLE, readablePartOf(value));
  return { fields: nonEmptyFields(value), problem: '' };
}

/** The value of a JSON text; undefined if it is invalid or cannot be stored. */
export function storableJson(json: string): unknown {
  if (json.length > MAX_RECORD_CHARACTERS || isDeeperThan(json, MAX_DEPTH)) return undefined;
  try {
    const value: unknown = parseJson(json, EXACT_NUMBER_LIMITS);
    return flawOf(value) === undefined && isStorableJson(jsonText(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The part of an object that can be stored. */
function readablePartOf(value: JsonObject): JsonObject {
  return nonEmptyFields(storablePart(value));
}

/** Control characters, which JSON does not allow in strings. */
const BLANKS = /[\t\n\r]/g;
const CONTROLS = /[\0-\x1f]/g;

/** What can be read of an object whose strings contain raw control characters, if its JSON is otherwise valid. */
function readableDespiteControls(json: string): JsonObject | undefined {
  const escaped = json.replace(BLANKS, ' ').replace(CONTROLS, '\\u0000');
  if (escaped === json) return undefined;
  try {
    const value = parseJson(escaped, EXACT_NUMBER_LIMITS);
    return isJsonObject(value) && !hasTooManyFields(value) ? readablePartOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value itself if all its members are non-empty, which is the usual case. */
function nonEmptyFields(value: JsonObject): JsonObject {
  for (const name in value) {
    const member = value[name];
    const isNonEmpty =
      typeof member === 'string' ? member !== '' : member !== null && typeof member !== 'object';
    if (!isNonEmpty || name === '' || name.length > MAX_COLUMN_NAME_LENGTH)
      return fieldsFrom(Object.entries(value));
  }
  return value;
}

function hasTooManyFields(value: JsonObject): boolean {
  let fields = 0;
  for (const _ in value) if (++fields > MAX_COLUMNS) return true;
  return false;
}

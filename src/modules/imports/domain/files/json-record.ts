/** A record from its JSON: an object whose members can be stored; of two members of a name the last counts. */
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

/** Exact numbers of one record. */
const MOST_EXACT: ExactBounds = { numbers: 1_000, characters: 65_536 };

/** Characters from which on brackets are counted first: a bracket costs a hundred times more where it is parsed. */
const LONG = 4_096;

/** Null, empty texts, lists and objects are left out, since they change nothing. */
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
  // Only an escape or half of a character can say what cannot be stored: a bare NUL is no JSON.
  if ((json.includes('\\u') || !json.isWellFormed()) && !isStorableJson(jsonText(value)))
    return unreadable(NOT_STORABLE, heardOf(value));
  return { fields: sayingFields(value), problem: '' };
}

/** What a text of JSON says, where it is one and can be stored; undefined for any other. */
export function storableJson(json: string): unknown {
  if (json.length > LONGEST_RECORD || isDeeperThan(json, DEEPEST)) return undefined;
  try {
    const value: unknown = parseJson(json, MOST_EXACT);
    return flawOf(value) === undefined && isStorableJson(jsonText(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What of an object can be stored. */
function heardOf(value: JsonObject): JsonObject {
  return sayingFields(soundPart(value));
}

/** Control characters, which JSON has in no text. */
const BLANKS = /[\t\n\r]/g;
const CONTROLS = /[\0-\x1f]/g;

/** What can be heard of an object whose texts hold bare control characters, where nothing else is wrong with its JSON. */
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

/** The value itself where each of its members says something, which is likely. */
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

/**
 * Reads a segment's filter, in requests and in stored form. A stored filter was valid when saved, so reading it fails
 * only if the rules have become stricter. Unsupported operators are 400 `invalid_filter_operator` (section 7.2), all
 * other errors are 422 and name the field.
 */
import { TEXT_FIELDS } from '../../../kernel/contact-fields.js';
import { invalidFields, type DomainError } from '../../../kernel/domain-error.js';
import { isEventName } from '../../../kernel/event-name.js';
import { isJsonObject, isStorableText, type JsonObject } from '../../../kernel/json.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { isLonger } from '../../../kernel/text-length.js';
import {
  MOMENT_FIELDS,
  type EventCondition,
  type FieldRef,
  type FilterCondition,
  type FilterGroup,
  type Match,
  type SegmentCondition,
  type ValueTest,
} from './filter.js';
import { EVENT_OPERATORS, isSearch, lookUp, SEGMENT_OPERATORS, TAG_OPERATORS } from './operators.js';
import { badOperator, readTest } from './read-test.js';

const MAX_GROUP_DEPTH = 5;
const MAX_CONDITIONS = 100;
const MAX_EVENT_CONDITIONS = 20;
/** Maximum number of conditions that search within a text, for which there is no index. */
const MAX_SUBSTRING_SEARCHES = 50;
/** Limit of all texts that values are compared with, together. */
const MAX_CHARACTERS = 100_000;
const LONGEST_TEXT = 255;
const MAX_PATH_DEPTH = 10;
const MAX_OCCURRENCES = 1_000_000;
const MAX_DAYS = 36_500;

/** A location in the filter, such as `conditions[0].value`. */
type At = string;

/**
 * Reads a filter: `{match, conditions}`.
 * @throws DomainError invalid_filter_operator, or invalid_field with the invalid fields.
 */
export function readFilter(input: JsonObject): FilterGroup {
  return new FilterReader().group(input, '', 1);
}

class FilterReader {
  private conditions = 0;
  private events = 0;
  private searches = 0;
  private characters = 0;

  group(input: JsonObject, at: At, depth: number): FilterGroup {
    const { match, conditions } = input;
    if (match !== 'all' && match !== 'any') throw invalidField(`${at}match`, 'must be all or any');
    if (!Array.isArray(conditions)) throw invalidField(`${at}conditions`, 'must be a list');
    if (depth > MAX_GROUP_DEPTH)
      throw invalidField(`${at}conditions`, `must not be nested deeper than ${MAX_GROUP_DEPTH} groups`);
    return {
      kind: 'group',
      match: match satisfies Match,
      conditions: conditions.map((one, index) => this.condition(one, `${at}conditions[${index}]`, depth)),
    };
  }

  private condition(input: unknown, at: At, depth: number): FilterCondition {
    if (++this.conditions > MAX_CONDITIONS)
      throw invalidField(at, `exceeds the limit of ${MAX_CONDITIONS} conditions per filter`);
    if (!isJsonObject(input)) throw invalidField(at, 'must be an object');
    if (input['conditions'] !== undefined || input['match'] !== undefined) {
      onlyFields(input, at, ['match', 'conditions']);
      return this.group(input, `${at}.`, depth + 1);
    }
    if (input['event'] !== undefined) return this.event(input, at);
    if (input['segment_id'] !== undefined) return readSegment(input, at);
    onlyFields(input, at, ['field', 'operator', 'value']);
    const { field } = input;
    if (typeof field !== 'string' || field === '')
      throw invalidField(`${at}.field`, 'must be the name of a field, such as email or properties.plan');
    if (field === 'tags') return readTags(input, at);
    const fieldRef = fieldRefOf(field, at);
    return { kind: 'field', fieldRef, test: this.test(input, at, fieldRef.kind) };
  }

  private event(input: JsonObject, at: At): EventCondition {
    onlyFields(input, at, ['event', 'operator', 'at_least', 'at_most', 'within_days', 'where']);
    if (++this.events > MAX_EVENT_CONDITIONS)
      throw invalidField(at, `exceeds the limit of ${MAX_EVENT_CONDITIONS} events per filter`);
    const { event, operator = 'has_done', at_least, at_most, within_days, where = [] } = input;
    if (typeof event !== 'string' || !isEventName(event))
      throw invalidField(`${at}.event`, 'must be an event name, such as order_placed');
    const isDone = lookUp(EVENT_OPERATORS, operator);
    if (isDone === undefined) throw badOperator(operator, at, Object.keys(EVENT_OPERATORS));
    if (!Array.isArray(where)) throw invalidField(`${at}.where`, 'must be a list');
    if (where.length > MAX_EVENT_CONDITIONS)
      throw invalidField(`${at}.where`, `must have at most ${MAX_EVENT_CONDITIONS} conditions`);
    const bounds = isDone
      ? {
          atLeast: whole(at_least, 1, `${at}.at_least`, 0, MAX_OCCURRENCES),
          atMost: at_most === undefined ? null : whole(at_most, 0, `${at}.at_most`, 0, MAX_OCCURRENCES),
        }
      : notDone(at_least, at_most, at);
    if (bounds.atMost !== null && bounds.atMost < bounds.atLeast)
      throw invalidField(`${at}.at_most`, 'must not be less than at_least');
    return {
      kind: 'event',
      eventName: event,
      ...bounds,
      withinDays:
        within_days === undefined || within_days === null
          ? null
          : whole(within_days, 0, `${at}.within_days`, 1, MAX_DAYS),
      where: where.map((one, index) => this.attribute(one, `${at}.where[${index}]`)),
    };
  }

  private attribute(input: unknown, at: At): EventCondition['where'][number] {
    if (!isJsonObject(input)) throw invalidField(at, 'must be an object');
    onlyFields(input, at, ['field', 'operator', 'value']);
    const { field } = input;
    if (typeof field !== 'string')
      throw invalidField(`${at}.field`, 'must be the name of an attribute, such as amount');
    return { path: pathOf(field, `${at}.field`), test: this.test(input, at, 'json') };
  }

  /** Reads the test of one value, and adds its cost. */
  private test(input: JsonObject, at: At, kind: FieldRef['kind']): ValueTest {
    const test = readTest(input, at, kind);
    if (isSearch(test.operator) && ++this.searches > MAX_SUBSTRING_SEARCHES)
      throw invalidField(at, `exceeds the limit of ${MAX_SUBSTRING_SEARCHES} substring searches per filter`);
    const { value } = input;
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === 'string') this.characters += text.length;
    if (this.characters > MAX_CHARACTERS)
      throw invalidField(at, `exceeds the limit of ${MAX_CHARACTERS} characters for all strings of a filter`);
    return test;
  }
}

/** Never done, or, with `at_least`, done less often. */
function notDone(atLeast: unknown, atMost: unknown, at: At): { atLeast: number; atMost: number } {
  if (atMost !== undefined) throw invalidField(`${at}.at_most`, 'is only valid with has_done');
  return { atLeast: 0, atMost: whole(atLeast, 1, `${at}.at_least`, 1, MAX_OCCURRENCES) - 1 };
}

function readSegment(input: JsonObject, at: At): SegmentCondition {
  onlyFields(input, at, ['segment_id', 'operator']);
  const { segment_id: segmentId, operator = 'in' } = input;
  if (!isUuid(segmentId)) throw invalidField(`${at}.segment_id`, 'must be the ID of a segment');
  const isMember = lookUp(SEGMENT_OPERATORS, operator);
  if (isMember === undefined) throw badOperator(operator, at, Object.keys(SEGMENT_OPERATORS));
  return { kind: 'segment', segmentId: segmentId.toLowerCase(), isMember };
}

function readTags(input: JsonObject, at: At): FilterCondition {
  const { operator, value } = input;
  const quantity = lookUp(TAG_OPERATORS, operator);
  if (quantity === undefined) throw badOperator(operator, at, Object.keys(TAG_OPERATORS));
  const tags: unknown[] = Array.isArray(value) ? value : [value];
  if (tags.length === 0 || tags.length > MAX_CONDITIONS || !tags.every(isTag))
    throw invalidField(`${at}.value`, `must be a tag, or a list of 1 to ${MAX_CONDITIONS} tags`);
  return { kind: 'tags', quantity, tags: [...new Set(tags)] };
}

function isTag(tag: unknown): tag is string {
  return typeof tag === 'string' && tag !== '' && !isLonger(tag, LONGEST_TEXT) && isStorableText(tag);
}

/** The standard fields by their names in filters. */
const STANDARD_FIELDS: ReadonlyMap<string, FieldRef> = new Map<string, FieldRef>([
  ...TEXT_FIELDS.map((field): [string, FieldRef] => [snakeCase(field), { kind: 'text', field }]),
  ...MOMENT_FIELDS.map((field): [string, FieldRef] => [snakeCase(field), { kind: 'moment', field }]),
]);

function fieldRefOf(field: string, at: At): FieldRef {
  const fieldRef = STANDARD_FIELDS.get(field);
  if (fieldRef) return fieldRef;
  if (!field.startsWith('properties.'))
    throw invalidField(
      `${at}.field`,
      `must be one of ${[...STANDARD_FIELDS.keys(), 'tags'].join(', ')}, or properties.…`,
    );
  return { kind: 'json', path: pathOf(field.slice('properties.'.length), `${at}.field`) };
}

function pathOf(text: string, at: At): string[] {
  const path = text.split('.');
  if (text === '' || path.length > MAX_PATH_DEPTH || path.some((name) => isLonger(name, LONGEST_TEXT)))
    throw invalidField(at, `must be 1 to ${MAX_PATH_DEPTH} names joined by dots`);
  if (!isStorableText(text)) throw invalidField(at, 'must not contain NUL characters or unpaired surrogates');
  return path;
}

function whole(value: unknown, otherwise: number, at: At, min: number, max: number): number {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw invalidField(at, `must be an integer from ${min} to ${max}`);
  return value;
}

function onlyFields(input: JsonObject, at: At, known: readonly string[]): void {
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw invalidFields(unknown.map((name) => ({ field: `${at}.${name}`, message: 'is not a known field' })));
}

function invalidField(field: At, message: string): DomainError {
  return invalidFields([{ field, message }]);
}

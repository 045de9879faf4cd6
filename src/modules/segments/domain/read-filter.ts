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
  type FieldPlace,
  type FilterCondition,
  type FilterGroup,
  type Match,
  type SegmentCondition,
  type ValueTest,
} from './filter.js';
import { EVENT_OPERATORS, isSearch, known, SEGMENT_OPERATORS, TAG_OPERATORS } from './operators.js';
import { badOperator, readTest } from './read-test.js';

const DEEPEST = 5;
const MOST_CONDITIONS = 100;
const MOST_EVENTS = 20;
/** Maximum number of conditions that search within a text, for which there is no index. */
const MOST_SEARCHES = 50;
/** Limit of all texts that values are compared with, together. */
const MOST_CHARACTERS = 100_000;
const LONGEST_TEXT = 255;
const DEEPEST_PATH = 10;
const MOST_TIMES = 1_000_000;
const MOST_DAYS = 36_500;

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
    if (match !== 'all' && match !== 'any') throw wrong(`${at}match`, 'must be all or any');
    if (!Array.isArray(conditions)) throw wrong(`${at}conditions`, 'must be a list');
    if (depth > DEEPEST) throw wrong(`${at}conditions`, `must not be nested deeper than ${DEEPEST} groups`);
    return {
      kind: 'group',
      match: match satisfies Match,
      conditions: conditions.map((one, index) => this.condition(one, `${at}conditions[${index}]`, depth)),
    };
  }

  private condition(input: unknown, at: At, depth: number): FilterCondition {
    if (++this.conditions > MOST_CONDITIONS)
      throw wrong(at, `exceeds the limit of ${MOST_CONDITIONS} conditions per filter`);
    if (!isJsonObject(input)) throw wrong(at, 'must be an object');
    if (input['conditions'] !== undefined || input['match'] !== undefined) {
      onlyFields(input, at, ['match', 'conditions']);
      return this.group(input, `${at}.`, depth + 1);
    }
    if (input['event'] !== undefined) return this.event(input, at);
    if (input['segment_id'] !== undefined) return readSegment(input, at);
    onlyFields(input, at, ['field', 'operator', 'value']);
    const { field } = input;
    if (typeof field !== 'string' || field === '')
      throw wrong(`${at}.field`, 'must be the name of a field, such as email or properties.plan');
    if (field === 'tags') return readTags(input, at);
    const place = placeOf(field, at);
    return { kind: 'field', place, test: this.test(input, at, place.kind) };
  }

  private event(input: JsonObject, at: At): EventCondition {
    onlyFields(input, at, ['event', 'operator', 'at_least', 'at_most', 'within_days', 'where']);
    if (++this.events > MOST_EVENTS) throw wrong(at, `exceeds the limit of ${MOST_EVENTS} events per filter`);
    const { event, operator = 'has_done', at_least, at_most, within_days, where = [] } = input;
    if (typeof event !== 'string' || !isEventName(event))
      throw wrong(`${at}.event`, 'must be an event name, such as order_placed');
    const isDone = known(EVENT_OPERATORS, operator);
    if (isDone === undefined) throw badOperator(operator, at, Object.keys(EVENT_OPERATORS));
    if (!Array.isArray(where)) throw wrong(`${at}.where`, 'must be a list');
    if (where.length > MOST_EVENTS) throw wrong(`${at}.where`, `must have at most ${MOST_EVENTS} conditions`);
    const bounds = isDone
      ? {
          atLeast: whole(at_least, 1, `${at}.at_least`, 0, MOST_TIMES),
          atMost: at_most === undefined ? null : whole(at_most, 0, `${at}.at_most`, 0, MOST_TIMES),
        }
      : notDone(at_least, at_most, at);
    if (bounds.atMost !== null && bounds.atMost < bounds.atLeast)
      throw wrong(`${at}.at_most`, 'must not be less than at_least');
    return {
      kind: 'event',
      eventName: event,
      ...bounds,
      withinDays:
        within_days === undefined || within_days === null
          ? null
          : whole(within_days, 0, `${at}.within_days`, 1, MOST_DAYS),
      where: where.map((one, index) => this.attribute(one, `${at}.where[${index}]`)),
    };
  }

  private attribute(input: unknown, at: At): EventCondition['where'][number] {
    if (!isJsonObject(input)) throw wrong(at, 'must be an object');
    onlyFields(input, at, ['field', 'operator', 'value']);
    const { field } = input;
    if (typeof field !== 'string')
      throw wrong(`${at}.field`, 'must be the name of an attribute, such as amount');
    return { path: pathOf(field, `${at}.field`), test: this.test(input, at, 'json') };
  }

  /** Reads the test of one value, and adds its cost. */
  private test(input: JsonObject, at: At, kind: FieldPlace['kind']): ValueTest {
    const test = readTest(input, at, kind);
    if (isSearch(test.operator) && ++this.searches > MOST_SEARCHES)
      throw wrong(at, `exceeds the limit of ${MOST_SEARCHES} substring searches per filter`);
    const { value } = input;
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === 'string') this.characters += text.length;
    if (this.characters > MOST_CHARACTERS)
      throw wrong(at, `exceeds the limit of ${MOST_CHARACTERS} characters for all strings of a filter`);
    return test;
  }
}

/** Never done, or, with `at_least`, done less often. */
function notDone(atLeast: unknown, atMost: unknown, at: At): { atLeast: number; atMost: number } {
  if (atMost !== undefined) throw wrong(`${at}.at_most`, 'is only valid with has_done');
  return { atLeast: 0, atMost: whole(atLeast, 1, `${at}.at_least`, 1, MOST_TIMES) - 1 };
}

function readSegment(input: JsonObject, at: At): SegmentCondition {
  onlyFields(input, at, ['segment_id', 'operator']);
  const { segment_id: segmentId, operator = 'in' } = input;
  if (!isUuid(segmentId)) throw wrong(`${at}.segment_id`, 'must be the ID of a segment');
  const isMember = known(SEGMENT_OPERATORS, operator);
  if (isMember === undefined) throw badOperator(operator, at, Object.keys(SEGMENT_OPERATORS));
  return { kind: 'segment', segmentId: segmentId.toLowerCase(), isMember };
}

function readTags(input: JsonObject, at: At): FilterCondition {
  const { operator, value } = input;
  const quantity = known(TAG_OPERATORS, operator);
  if (quantity === undefined) throw badOperator(operator, at, Object.keys(TAG_OPERATORS));
  const tags: unknown[] = Array.isArray(value) ? value : [value];
  if (tags.length === 0 || tags.length > MOST_CONDITIONS || !tags.every(isTag))
    throw wrong(`${at}.value`, `must be a tag, or a list of 1 to ${MOST_CONDITIONS} tags`);
  return { kind: 'tags', quantity, tags: [...new Set(tags)] };
}

function isTag(tag: unknown): tag is string {
  return typeof tag === 'string' && tag !== '' && !isLonger(tag, LONGEST_TEXT) && isStorableText(tag);
}

/** The standard fields by their names in filters. */
const FIELD_PLACES: ReadonlyMap<string, FieldPlace> = new Map<string, FieldPlace>([
  ...TEXT_FIELDS.map((field): [string, FieldPlace] => [snakeCase(field), { kind: 'text', field }]),
  ...MOMENT_FIELDS.map((field): [string, FieldPlace] => [snakeCase(field), { kind: 'moment', field }]),
]);

function placeOf(field: string, at: At): FieldPlace {
  const place = FIELD_PLACES.get(field);
  if (place) return place;
  if (!field.startsWith('properties.'))
    throw wrong(
      `${at}.field`,
      `must be one of ${[...FIELD_PLACES.keys(), 'tags'].join(', ')}, or properties.…`,
    );
  return { kind: 'json', path: pathOf(field.slice('properties.'.length), `${at}.field`) };
}

function pathOf(text: string, at: At): string[] {
  const path = text.split('.');
  if (text === '' || path.length > DEEPEST_PATH || path.some((name) => isLonger(name, LONGEST_TEXT)))
    throw wrong(at, `must be 1 to ${DEEPEST_PATH} names joined by dots`);
  if (!isStorableText(text)) throw wrong(at, 'must not contain NUL characters or unpaired surrogates');
  return path;
}

function whole(value: unknown, otherwise: number, at: At, least: number, most: number): number {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw wrong(at, `must be an integer from ${least} to ${most}`);
  return value;
}

function onlyFields(input: JsonObject, at: At, known: readonly string[]): void {
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw invalidFields(unknown.map((name) => ({ field: `${at}.${name}`, message: 'is not a known field' })));
}

function wrong(field: At, message: string): DomainError {
  return invalidFields([{ field, message }]);
}

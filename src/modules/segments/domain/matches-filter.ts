/**
 * Decides from prefetched data whether one contact is in a segment; persistence/filter-sql does the same for a whole
 * tenant.
 */
import { DAY } from '../../../kernel/duration.js';
import { compareNumbers, isNumber } from '../../../kernel/exact-number.js';
import type { JsonObject } from '../../../kernel/json.js';
import { valueAtPath } from '../../../kernel/key-path.js';
import { parseMoment } from '../../../kernel/parse-moment.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type {
  EventCondition,
  FieldRef,
  FilterCondition,
  FilterGroup,
  MomentTest,
  Scalar,
  TagCondition,
  ValueTest,
} from './filter.js';
import { lowerCase } from './lower-case.js';

export interface DoneEvent {
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
}

/** The data about a contact that a filter may use. */
export interface ContactInputs {
  readonly contact: Contact;
  /** The contact's stored events, with the names that the filter uses. */
  readonly events: ReadonlyMap<string, readonly DoneEvent[]>;
  /** The filter of another segment; undefined if there is no such segment, which then has no members. */
  readonly filterOf: (segmentId: string) => FilterGroup | undefined;
}

/** Whether the filter matches the contact; a deleted contact is in no segment. */
export function matchesFilter(filter: FilterGroup, inputs: ContactInputs, now: Date): boolean {
  return inputs.contact.subscriptionStatus !== 'deleted' && holds(filter, inputs, now);
}

function holds(condition: FilterCondition, inputs: ContactInputs, now: Date): boolean {
  switch (condition.kind) {
    case 'group': {
      const one = (inner: FilterCondition): boolean => holds(inner, inputs, now);
      if (condition.conditions.length === 0) return true;
      return condition.match === 'all' ? condition.conditions.every(one) : condition.conditions.some(one);
    }
    case 'field':
      return passes(condition.test, valueAt(condition.fieldRef, inputs.contact), now);
    case 'tags':
      return hasTags(condition, inputs.contact.tags);
    case 'event':
      return hasDone(condition, inputs.events.get(condition.eventName) ?? [], now);
    case 'segment': {
      const other = inputs.filterOf(condition.segmentId);
      return (other !== undefined && holds(other, inputs, now)) === condition.isMember;
    }
  }
}

/** The value of a contact's field; undefined if there is none. */
export function valueAt(fieldRef: FieldRef, contact: Contact): unknown {
  return fieldRef.kind === 'json' ? valueAtPath(contact.properties, fieldRef.path) : contact[fieldRef.field];
}

function hasTags({ quantity, tags }: TagCondition, own: readonly string[]): boolean {
  const has = (tag: string): boolean => own.includes(tag);
  if (quantity === 'all') return tags.every(has);
  return tags.some(has) === (quantity === 'any');
}

function hasDone(condition: EventCondition, events: readonly DoneEvent[], now: Date): boolean {
  const since = condition.withinDays === null ? null : now.getTime() - condition.withinDays * DAY;
  let count = 0;
  for (const { attributes, occurredAt } of events) {
    if (since !== null && occurredAt.getTime() < since) continue;
    if (condition.where.every(({ path, test }) => passes(test, valueAtPath(attributes, path), now))) count++;
  }
  return count >= condition.atLeast && (condition.atMost === null || count <= condition.atMost);
}

/** Whether a value passes a test. */
export function passes(test: ValueTest, value: unknown, now: Date): boolean {
  switch (test.operator) {
    case 'exists':
      return isPresent(value);
    case 'not_exists':
      return !isPresent(value);
    case 'equals':
      return isSame(value, test.value);
    case 'not_equals':
      return !isSame(value, test.value);
    case 'in':
      return test.values.some((one) => isSame(value, one));
    case 'not_in':
      return !test.values.some((one) => isSame(value, one));
    case 'contains':
      return holdsText(value, test.text);
    case 'not_contains':
      return !holdsText(value, test.text);
    case 'starts_with':
      return typeof value === 'string' && lowerCase(value).startsWith(test.text);
    case 'ends_with':
      return typeof value === 'string' && lowerCase(value).endsWith(test.text);
    case 'greater_than':
      return isNumber(value) && compareNumbers(value, test.number) > 0;
    case 'greater_than_or_equal':
      return isNumber(value) && compareNumbers(value, test.number) >= 0;
    case 'less_than':
      return isNumber(value) && compareNumbers(value, test.number) < 0;
    case 'less_than_or_equal':
      return isNumber(value) && compareNumbers(value, test.number) <= 0;
    default: {
      const instant = value instanceof Date ? value.getTime() : parseMoment(value)?.instant;
      return instant !== undefined && passesMoment(test, instant, now);
    }
  }
}

function passesMoment(test: MomentTest, time: number, now: Date): boolean {
  const nowMs = now.getTime();
  switch (test.operator) {
    case 'before':
      return time < test.moment.getTime();
    case 'after':
      return time > test.moment.getTime();
    case 'on':
      return new Date(time).toISOString().slice(0, 10) === test.day;
    case 'within_last_days':
      return time >= nowMs - test.days * DAY && time <= nowMs;
    case 'more_than_days_ago':
      return time < nowMs - test.days * DAY;
    case 'within_next_days':
      return time >= nowMs && time <= nowMs + test.days * DAY;
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSame(value: unknown, expected: Scalar): boolean {
  if (typeof value === 'string' && typeof expected === 'string')
    return lowerCase(value) === lowerCase(expected);
  if (isNumber(value) && isNumber(expected)) return compareNumbers(value, expected) === 0;
  return value === expected;
}

function holdsText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return lowerCase(value).includes(text);
  return Array.isArray(value) && value.some((one) => typeof one === 'string' && lowerCase(one) === text);
}

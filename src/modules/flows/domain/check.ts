/**
 * The checks of conditions and branches, section 2.3. The contract shows only the existence of an event. Checks of
 * the contact and of the trigger event use the operators of segment filters.
 */
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { EventCondition, FilterGroup } from '../../segments/domain/filter.js';
import { readFilter } from '../../segments/domain/read-filter.js';
import { fieldError } from './field-error.js';

export interface LatestEventCheck {
  readonly source: 'latest_event';
  readonly eventName: string;
  /** True if the check passes when such an event exists, false if it passes when there is none. */
  readonly exists: boolean;
  /** Only events within this duration count; same format as waits. */
  readonly within?: string;
  /** Attributes that the latest event of the name must have. */
  readonly attributes?: JsonObject;
}

/** A value and the test on it, with the field names of a segment's condition. */
interface ValueCheck {
  readonly operator: string;
  readonly value?: unknown;
}

export interface ContactCheck extends ValueCheck {
  readonly source: 'contact';
  /** As in filters: `email`, `tags`, `properties.plan`. */
  readonly field: string;
}

export interface TriggerEventCheck extends ValueCheck {
  readonly source: 'trigger_event';
  /** Of the event that started the trip: a name, or names joined by dots. */
  readonly attribute: string;
}

export interface SegmentCheck {
  readonly source: 'segment';
  readonly segmentId: string;
  /** True if the check passes for members, false if it passes for all others. */
  readonly member: boolean;
}

export type Check = LatestEventCheck | ContactCheck | TriggerEventCheck | SegmentCheck;

/** The filter that matches the contacts for which a check passes. */
function filterOfContactCheck({ field, operator, value }: ContactCheck): FilterGroup {
  return readFilter({
    match: 'all',
    conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }],
  });
}

/** The attribute that a check of the trigger event tests, and the test. */
function attributeTestOf({ attribute, operator, value }: TriggerEventCheck): AttributeTest {
  const attributeCondition = { field: attribute, operator, ...(value === undefined ? {} : { value }) };
  const { conditions } = readFilter({
    match: 'all',
    conditions: [{ event: 'trigger', where: [attributeCondition] }],
  });
  const [test] = conditions.flatMap((condition) => (condition.kind === 'event' ? condition.where : []));
  if (!test) throw new TypeError('A condition about an event has lost its attribute test.');
  return test;
}

type AttributeTest = EventCondition['where'][number];

/**
 * The check in evaluable form; parsed once for all trips.
 * @throws DomainError invalid_field or invalid_filter_operator for a check that would not be valid in a segment.
 */
export const contactFilter = memoized(filterOfContactCheck);
export const attributeTest = memoized(attributeTestOf);

/** Maps the field names in errors of a filter's condition to the field names of a check. */
const FIELD_NAMES: readonly (readonly [pattern: RegExp, field: string])[] = [
  [/^conditions\[0\]\.where\[0\]\.field/, 'attribute'],
  [/^conditions\[0\]\.where\[0\]\./, ''],
  [/^conditions\[0\]\./, ''],
];

/**
 * All errors that make a check impossible to evaluate; its fields must have the right types.
 * @param field name of the check in errors, such as `steps[0].check`.
 */
export function checkErrors(check: Check, field: string): readonly FieldError[] {
  try {
    if (check.source === 'contact') contactFilter(check);
    if (check.source === 'trigger_event') attributeTest(check);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || !error.fields.errors) throw error;
    return error.fields.errors.map((one) => fieldError(`${field}.${checkFieldName(one.field)}`, one.message));
  }
}

function checkFieldName(conditionField: string): string {
  for (const [pattern, name] of FIELD_NAMES)
    if (pattern.test(conditionField)) return conditionField.replace(pattern, name);
  return conditionField;
}

function memoized<Input extends object, Parsed>(parse: (input: Input) => Parsed): (input: Input) => Parsed {
  const cache = new WeakMap<Input, Parsed>();
  return (input) => {
    const cached = cache.get(input);
    if (cached !== undefined) return cached;
    const parsed = parse(input);
    cache.set(input, parsed);
    return parsed;
  };
}

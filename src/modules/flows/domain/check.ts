/**
 * What conditions and branches ask, section 2.3. The contract shows the existence of an event alone; contact and
 * trigger event are asked with the operators of segments' filters.
 */
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { EventCondition, FilterGroup } from '../../segments/domain/filter.js';
import { readFilter } from '../../segments/domain/read-filter.js';
import { refused } from './reading.js';

export interface LatestEventCheck {
  readonly source: 'latest_event';
  readonly eventName: string;
  /** Whether the check holds where there is such an event, or where there is none. */
  readonly exists: boolean;
  /** Only an event of so long ago counts, as waits are written. */
  readonly within?: string;
  /** What the latest event of the name must have. */
  readonly attributes?: JsonObject;
}

/** One value and what is asked of it, under the names of a segment's condition. */
interface ValueCheck {
  readonly operator: string;
  readonly value?: unknown;
}

export interface ContactCheck extends ValueCheck {
  readonly source: 'contact';
  /** As filters name it: `email`, `tags`, `properties.plan`. */
  readonly field: string;
}

export interface TriggerEventCheck extends ValueCheck {
  readonly source: 'trigger_event';
  /** Of the event that started the trip: a name, or a path of names joined by dots. */
  readonly attribute: string;
}

export interface SegmentCheck {
  readonly source: 'segment';
  readonly segmentId: string;
  /** Whether the check holds for those within, or for the others. */
  readonly member: boolean;
}

export type Check = LatestEventCheck | ContactCheck | TriggerEventCheck | SegmentCheck;

/** Whom a check of the contact lets through. */
function filterOfContactCheck({ field, operator, value }: ContactCheck): FilterGroup {
  return readFilter({
    match: 'all',
    conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }],
  });
}

/** What a check of the trigger event asks of which attribute. */
function attributeTestOf({ attribute, operator, value }: TriggerEventCheck): AttributeTest {
  const asked = { field: attribute, operator, ...(value === undefined ? {} : { value }) };
  const { conditions } = readFilter({ match: 'all', conditions: [{ event: 'trigger', where: [asked] }] });
  const [test] = conditions.flatMap((condition) => (condition.kind === 'event' ? condition.where : []));
  if (!test) throw new TypeError('A condition about an event has lost its attribute test.');
  return test;
}

type AttributeTest = EventCondition['where'][number];

/**
 * What a check asks of a value, as it is decided; read once, however many trips ask it.
 * @throws DomainError invalid_field or invalid_filter_operator for what no segment could ask.
 */
export const contactFilter = once(filterOfContactCheck);
export const attributeTest = once(attributeTestOf);

/** The names under which a condition of a filter tells what is wrong with a check, and those of the check. */
const PLACES: readonly (readonly [pattern: RegExp, field: string])[] = [
  [/^conditions\[0\]\.where\[0\]\.field/, 'attribute'],
  [/^conditions\[0\]\.where\[0\]\./, ''],
  [/^conditions\[0\]\./, ''],
];

/**
 * Everything that no trip could be asked, of a check whose fields are of the right kinds.
 * @param field name of the check in errors, such as `steps[0].check`.
 */
export function checkErrors(check: Check, field: string): readonly FieldError[] {
  try {
    if (check.source === 'contact') contactFilter(check);
    if (check.source === 'trigger_event') attributeTest(check);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError) || !error.fields.errors) throw error;
    return error.fields.errors.map((one) => refused(`${field}.${placeIn(one.field)}`, one.message));
  }
}

function placeIn(conditionField: string): string {
  for (const [pattern, name] of PLACES)
    if (pattern.test(conditionField)) return conditionField.replace(pattern, name);
  return conditionField;
}

function once<Asked extends object, Meaning>(read: (asked: Asked) => Meaning): (asked: Asked) => Meaning {
  const known = new WeakMap<Asked, Meaning>();
  return (asked) => {
    const before = known.get(asked);
    if (before !== undefined) return before;
    const meaning = read(asked);
    known.set(asked, meaning);
    return meaning;
  };
}

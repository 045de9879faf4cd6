/**
 * Input of the checks in conditions and branches, section 2.3; in GraphQL they are JSON with the field names of REST.
 */
import { parseDuration } from '../../../kernel/duration.js';
import { isEventName } from '../../../kernel/event-name.js';
import { depthOf, isStorableJson, type JsonObject } from '../../../kernel/json.js';
import { AnyJson, Flag, Json, OneOf, Text, Uuid } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { OPERATORS_OF, TAG_OPERATORS } from '../../segments/domain/operators.js';
import type {
  Check,
  ContactCheck,
  LatestEventCheck,
  SegmentCheck,
  TriggerEventCheck,
} from '../domain/check.js';

const MAX_FIELD_NAME_CHARS = 2_560;
const MAX_OPERATOR_CHARS = 255;
const MAX_ATTRIBUTE_DEPTH = 10;

export const EXAMPLE_CHECK = { source: 'latest_event', event_name: 'order_placed', exists: true };
export const CHECK_DESCRIPTION =
  'What the check tests: the contact, its events, its segments, or the event that started the trip.';

const fieldsOf = (source: Check['source']) =>
  ({ nullIsAbsent: true, unknownField: () => `is not a field of a check of ${source}` }) as const;
const joinNames = (operators: readonly string[]): string => operators.join(', ');

function attributesProblem(attributes: JsonObject): string | undefined {
  if (depthOf(attributes, MAX_ATTRIBUTE_DEPTH) > MAX_ATTRIBUTE_DEPTH)
    return `must not be nested deeper than ${MAX_ATTRIBUTE_DEPTH}`;
  return isStorableJson(JSON.stringify(attributes))
    ? undefined
    : 'must not contain NUL characters or unpaired surrogates';
}

@Input({ rest: 'LatestEventCheckFields' }, fieldsOf('latest_event'))
class LatestEventCheckInput implements LatestEventCheck {
  @OneOf(['latest_event']) source: 'latest_event';

  @Text({
    check: (text) => (isEventName(text) ? undefined : 'is no event name'),
    message: 'must be an event name in lower snake case, such as order_placed',
    example: 'order_placed',
  })
  eventName: string;

  @Flag({ description: 'True if the contact must have such an event, false if it must have none.' })
  exists: boolean;

  @Text({
    optional: true,
    nullable: 'absent',
    check: (text) => (parseDuration(text) === undefined ? 'is no duration' : undefined),
    message: 'must be an integer followed by m, h or d, such as 7d, and at most ten years',
    example: '7d',
    description: 'The maximum age of the event.',
  })
  within?: string;

  @Json({
    optional: true,
    nullable: 'absent',
    check: attributesProblem,
    description: 'Every key must equal the value in the latest event with this name.',
  })
  attributes?: JsonObject;
}

@Input({ rest: 'ContactCheckFields' }, fieldsOf('contact'))
class ContactCheckInput implements ContactCheck {
  @OneOf(['contact']) source: 'contact';

  @Text({
    min: 1,
    max: MAX_FIELD_NAME_CHARS,
    example: 'properties.plan',
    description: 'A field name as used in segment filters.',
  })
  field: string;

  @Text({
    min: 1,
    max: MAX_OPERATOR_CHARS,
    example: 'equals',
    description:
      `For text fields: ${joinNames(OPERATORS_OF.text)}; for dates: ${joinNames(OPERATORS_OF.moment)}; for ` +
      `properties: ${joinNames(OPERATORS_OF.json)}; for tags: ${joinNames(Object.keys(TAG_OPERATORS))}.`,
  })
  operator: string;

  @AnyJson({ optional: true, nullable: 'absent', example: 'pro' }) value?: unknown;
}

@Input({ rest: 'TriggerEventCheckFields' }, fieldsOf('trigger_event'))
class TriggerEventCheckInput implements TriggerEventCheck {
  @OneOf(['trigger_event']) source: 'trigger_event';

  @Text({
    min: 1,
    max: MAX_FIELD_NAME_CHARS,
    example: 'amount',
    description: 'A name, or names joined by dots.',
  })
  attribute: string;

  @Text({
    min: 1,
    max: MAX_OPERATOR_CHARS,
    example: 'greater_than',
    description: `One of ${joinNames(OPERATORS_OF.json)}.`,
  })
  operator: string;

  @AnyJson({ optional: true, nullable: 'absent', example: 100 }) value?: unknown;
}

@Input({ rest: 'SegmentCheckFields' }, fieldsOf('segment'))
class SegmentCheckInput implements SegmentCheck {
  @OneOf(['segment']) source: 'segment';
  @Uuid() segmentId: string;
  @Flag({ description: 'True if the contact must be in the segment, false if it must not be.' })
  member: boolean;
}

export const CHECKS = {
  tag: 'source',
  classes: {
    latest_event: LatestEventCheckInput,
    contact: ContactCheckInput,
    trigger_event: TriggerEventCheckInput,
    segment: SegmentCheckInput,
  } satisfies Record<Check['source'], unknown>,
} as const;

/** Reads the body of POST /v1/flows, sections 2.3 and 4.2, and fills in what it leaves out. */
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { DomainError, invalidFields, missingField, type FieldError } from '../../../kernel/domain-error.js';
import { isEventName } from '../../../kernel/event-name.js';
import {
  depthOf,
  isJsonObject,
  isStorableJson,
  isStorableText,
  type JsonObject,
} from '../../../kernel/json.js';
import { readSteps } from './flow-definition.js';
import { readSettings } from './flow-settings.js';
import type { NewFlow } from './flow.js';
import { refused } from './reading.js';

const REQUIRED = ['name', 'trigger_event', 'content_type'] as const;
const DEEPEST_CONDITION = 10;

/** What is wrong with a field by itself; undefined when nothing is. */
const CHECKS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  name: (value) => textProblem(value) ?? (value === '' ? 'must not be empty' : undefined),
  description: textProblem,
  trigger_event: textProblem,
  trigger_conditions: conditionsProblem,
  segment_id: (value) =>
    value === null ? undefined : 'must be null: this release does not filter a flow’s audience yet',
  steps: (value) => (Array.isArray(value) ? undefined : 'must be a list of steps'),
  content_type: (value) =>
    CONTENT_TYPES.includes(value as ContentType) ? undefined : `must be ${CONTENT_TYPES.join(' or ')}`,
  tags: tagsProblem,
  settings: (value) => (isJsonObject(value) ? undefined : 'must be an object'),
};

/**
 * Reads a new flow.
 * @throws DomainError invalid_field naming every field that is wrong or unknown; validation_error when a required one
 *   is missing; invalid_event_name.
 */
export function readFlow(input: unknown): NewFlow {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const errors = Object.entries(input).flatMap(([field, value]): FieldError[] => {
    if (value === undefined) return [];
    const message = Object.hasOwn(CHECKS, field) ? CHECKS[field]?.(value) : 'is not a known field';
    return message === undefined ? [] : [refused(field, message)];
  });
  const steps = readSteps(Array.isArray(input['steps']) ? input['steps'] : []);
  if (!steps.ok) errors.push(...steps.errors);
  const settings = readSettings(isJsonObject(input['settings']) ? input['settings'] : undefined);
  if (!settings.ok) errors.push(...settings.errors);
  if (errors.length > 0 || !steps.ok || !settings.ok) throw invalidFields(errors);
  for (const field of REQUIRED) if (input[field] === undefined) throw missingField(field);

  // Types have been checked field by field.
  const triggerEvent = input['trigger_event'] as string;
  if (!isEventName(triggerEvent))
    throw new DomainError(
      'invalid_event_name',
      'trigger_event must be lower snake case, such as order_placed.',
      {
        errors: [refused('trigger_event', 'must be lower snake case')],
      },
    );
  return {
    name: input['name'] as string,
    description: (input['description'] ?? '') as string,
    triggerEvent,
    triggerConditions: (input['trigger_conditions'] ?? {}) as JsonObject,
    steps: steps.value,
    contentType: input['content_type'] as ContentType,
    tags: (input['tags'] ?? []) as readonly string[],
    settings: settings.value,
  };
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  return isStorableText(value) ? undefined : 'must not hold NUL or half characters';
}

function conditionsProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'must be an object';
  if (depthOf(value, DEEPEST_CONDITION) > DEEPEST_CONDITION)
    return `must not be nested deeper than ${DEEPEST_CONDITION}`;
  return isStorableJson(JSON.stringify(value)) ? undefined : 'must not hold NUL or half characters';
}

function tagsProblem(value: unknown): string | undefined {
  const isTag = (tag: unknown): boolean => tag !== '' && textProblem(tag) === undefined;
  return Array.isArray(value) && value.every(isTag)
    ? undefined
    : 'must be a list of texts that are not empty';
}

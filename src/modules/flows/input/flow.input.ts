/** What callers say of a new flow, sections 2.3 and 4.2, in REST and GraphQL alike; what is left out is filled in. */
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { isEventName } from '../../../kernel/event-name.js';
import { depthOf, isStorableJson, isStorableText, type JsonObject } from '../../../kernel/json.js';
import { Flag, Json, Nested, OneOf, Text, Texts, Whole } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { spelled, type Face } from '../../../platform/input/input-table.js';
import { readInput } from '../../../platform/input/read-input.js';
import { VariantList } from '../../../platform/input/variants.js';
import {
  DEFAULT_SETTINGS,
  missingSettings,
  REENTRY_POLICIES,
  THROTTLE_PERIODS,
} from '../domain/flow-settings.js';
import type { FlowSettings, NewFlow } from '../domain/flow.js';
import type { NewStep } from '../domain/step.js';
import { STEPS } from './step.input.js';

export const EXAMPLE_STEPS = [
  { type: 'send_email', template_slug: 'welcome' },
  { type: 'wait', duration: '1d' },
  { type: 'update_contact', set: { onboarded: true } },
];
const DEEPEST_CONDITION = 10;
/** Ten years, as for waits. */
const LONGEST_COOLDOWN = 3_650;
/** Slots are counted; more than that is no throttle. */
const LARGEST_THROTTLE = 1_000_000;
/** A setting that is not made. */
const UNSET = { optional: true, nullable: true, default: null } as const;

/** What is wrong with conditions on an event's attributes. */
export function conditionsProblem(conditions: JsonObject): string | undefined {
  if (depthOf(conditions, DEEPEST_CONDITION) > DEEPEST_CONDITION)
    return `must not be nested deeper than ${DEEPEST_CONDITION}`;
  return isStorableJson(JSON.stringify(conditions)) ? undefined : 'must not hold NUL or half characters';
}

function tagsProblem(tags: readonly string[]): string | undefined {
  return tags.every((tag) => tag !== '' && isStorableText(tag))
    ? undefined
    : 'must be a list of texts that are not empty';
}

@Input(
  { rest: 'FlowSettingsFields', graphql: 'FlowSettingsInput' },
  { nullIsAbsent: true, unknownField: () => 'is not a known setting' },
)
export class FlowSettingsInput implements Partial<FlowSettings> {
  @OneOf(REENTRY_POLICIES, { optional: true, default: 'never' })
  reentryPolicy?: FlowSettings['reentryPolicy'];

  @Whole({ ...UNSET, min: 1, max: LONGEST_COOLDOWN }) reentryCooldownDays?: number | null;

  @Flag({
    optional: true,
    default: false,
    description:
      'The flow sends at most throttle_limit messages in a throttle_period; both are required then.',
  })
  throttleEnabled?: boolean;

  @Whole({ ...UNSET, min: 1, max: LARGEST_THROTTLE }) throttleLimit?: number | null;
  @OneOf(THROTTLE_PERIODS, UNSET) throttlePeriod?: FlowSettings['throttlePeriod'];
}

@Input({ rest: 'CreateFlowBody', graphql: 'CreateFlowInput' }, { nullIsAbsent: true })
export class CreateFlowInput {
  @Text({ min: 1, example: 'Welcome' }) name: string;
  @Text({ example: 'signed_up', description: 'Lower snake case.' }) triggerEvent: string;
  @OneOf(CONTENT_TYPES, { description: CONTENT_TYPES.join(' or ') }) contentType: ContentType;
  @Text({ optional: true, default: '' }) description?: string;

  @Json({ optional: true, check: conditionsProblem, default: {}, example: { plan: 'pro' } })
  triggerConditions?: JsonObject;

  @Text({
    only: 'rest',
    optional: true,
    nullable: 'absent',
    check: () => 'is not null',
    message: 'must be null: this release does not filter a flow’s audience yet',
    description: 'Null: this release does not filter a flow’s audience yet.',
  })
  segmentId?: null;

  @VariantList(STEPS, {
    optional: true,
    default: [],
    example: EXAMPLE_STEPS,
  })
  steps?: readonly NewStep[];

  @Texts({ optional: true, check: tagsProblem, default: [] }) tags?: readonly string[];
  @Nested(FlowSettingsInput, { optional: true }) settings?: FlowSettingsInput;
}

/**
 * Settings need others, section 2.3.
 * @throws DomainError invalid_field naming each that is missing.
 */
export function assertSettings(settings: FlowSettings, face: Face): void {
  const errors = missingSettings(settings).map(({ member, because, is }) => ({
    field: `settings.${spelled(face, member)}`,
    message: `is required when ${spelled(face, because)} is ${is}`,
  }));
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * The flow that is asked for.
 * @throws DomainError invalid_event_name; invalid_field for settings that lack others.
 */
export function newFlowOf(input: CreateFlowInput, face: Face): NewFlow {
  const { triggerEvent } = input;
  const settings: FlowSettings = { ...DEFAULT_SETTINGS, ...input.settings };
  assertSettings(settings, face);
  if (!isEventName(triggerEvent)) {
    const field = spelled(face, 'triggerEvent');
    throw new DomainError('invalid_event_name', `${field} must be lower snake case, such as order_placed.`, {
      errors: [{ field, message: 'must be lower snake case' }],
    });
  }
  return {
    name: input.name,
    description: input.description ?? '',
    triggerEvent,
    triggerConditions: input.triggerConditions ?? {},
    steps: input.steps ?? [],
    contentType: input.contentType,
    tags: input.tags ?? [],
    settings,
  };
}

/** Reads a new flow where no face has read it: under the names of REST. */
export function readFlow(value: unknown): NewFlow {
  return newFlowOf(readInput(CreateFlowInput, value, 'body'), 'body');
}

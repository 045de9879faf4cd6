/** Input for creating and changing flows, sections 2.3 and 4.2, shared by REST and GraphQL. */
import { DomainError } from '../../../kernel/domain-error.js';
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { isEventName } from '../../../kernel/event-name.js';
import { depthOf, isStorableJson, isStorableText, type JsonObject } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { blankProblem } from '../../../platform/input/checks.js';
import { Flag, Json, Nested, OneOf, Text, Texts, Uuid, Integer } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { spelled, type InputSource } from '../../../platform/input/input-table.js';
import { readInput } from '../../../platform/input/read-input.js';
import { VariantList } from '../../../platform/input/variants.js';
import { MAX_NAME_CHARS, MAX_SUMMARY_CHARS, MAX_TAG_CHARS, MAX_FLOW_TAGS } from '../domain/flow-bounds.js';
import {
  assertSettings,
  DEFAULT_SETTINGS,
  MAX_THROTTLE_LIMIT,
  MAX_COOLDOWN_DAYS,
  REENTRY_POLICIES,
  THROTTLE_PERIODS,
} from '../domain/flow-settings.js';
import type { RestoreOptions } from '../domain/flow-version.js';
import type { FlowSettings, FlowUpdate, NewFlow } from '../domain/flow.js';
import type { NewStep } from '../domain/step.js';
import { STEPS } from './step.input.js';

export const EXAMPLE_STEPS = [
  { type: 'send_email', template_slug: 'welcome' },
  { type: 'wait', duration: '1d' },
  { type: 'update_contact', set: { onboarded: true } },
];
const MAX_CONDITION_DEPTH = 10;
/** An unset setting. */
const UNSET = { optional: true, nullable: true, default: null } as const;

/** The error in conditions on an event's attributes; undefined if they are valid. */
export function conditionsProblem(conditions: JsonObject): string | undefined {
  if (depthOf(conditions, MAX_CONDITION_DEPTH) > MAX_CONDITION_DEPTH)
    return `must not be nested deeper than ${MAX_CONDITION_DEPTH}`;
  return isStorableJson(JSON.stringify(conditions))
    ? undefined
    : 'must not contain NUL characters or unpaired surrogates';
}

function tagsProblem(tags: readonly string[]): string | undefined {
  if (!tags.every((tag) => tag !== '' && isStorableText(tag))) return 'must be a list of non-empty strings';
  return tags.some((tag) => isLonger(tag, MAX_TAG_CHARS))
    ? `must contain strings of at most ${MAX_TAG_CHARS} characters`
    : undefined;
}

const SUMMARY = { optional: true, nullable: true, max: MAX_SUMMARY_CHARS } as const;
const NAME = { min: 1, max: MAX_NAME_CHARS, check: blankProblem, example: 'Welcome' } as const;
const TRIGGER = { example: 'signed_up', description: 'Lower snake case.' } as const;
const CONTENT_TYPE = { description: CONTENT_TYPES.join(' or ') } as const;
const CONDITIONS = { optional: true, check: conditionsProblem, example: { plan: 'pro' } } as const;
const SEGMENT = {
  optional: true,
  nullable: true,
  description: 'Only contacts in this segment start a trip. Null means all contacts.',
} as const;
const STEP_LIST = { optional: true, example: EXAMPLE_STEPS } as const;
const TAGS = {
  optional: true,
  max: MAX_FLOW_TAGS,
  check: tagsProblem,
  description: 'Duplicates are removed.',
} as const;

@Input(
  { rest: 'FlowSettingsFields', graphql: 'FlowSettingsInput' },
  { nullIsAbsent: true, unknownField: () => 'is not a known setting' },
)
export class FlowSettingsInput implements Partial<FlowSettings> {
  @OneOf(REENTRY_POLICIES, { optional: true, default: 'never' })
  reentryPolicy?: FlowSettings['reentryPolicy'];

  @Integer({ ...UNSET, min: 1, max: MAX_COOLDOWN_DAYS }) reentryCooldownDays?: number | null;

  @Flag({
    optional: true,
    default: false,
    description:
      'Limits the flow to throttle_limit messages per throttle_period. Both are required if enabled.',
  })
  throttleEnabled?: boolean;

  @Integer({ ...UNSET, min: 1, max: MAX_THROTTLE_LIMIT }) throttleLimit?: number | null;
  @OneOf(THROTTLE_PERIODS, UNSET) throttlePeriod?: FlowSettings['throttlePeriod'];
}

@Input({ rest: 'CreateFlowBody', graphql: 'CreateFlowInput' }, { nullIsAbsent: true })
export class CreateFlowInput {
  @Text(NAME) name: string;
  @Text(TRIGGER) triggerEvent: string;
  @OneOf(CONTENT_TYPES, CONTENT_TYPE) contentType: ContentType;
  @Text({ optional: true, default: '' }) description?: string;
  @Json({ ...CONDITIONS, default: {} }) triggerConditions?: JsonObject;
  @Uuid({ ...SEGMENT, default: null }) segmentId?: string | null;
  @VariantList(STEPS, { ...STEP_LIST, default: [] }) steps?: readonly NewStep[];
  @Texts({ ...TAGS, default: [] }) tags?: readonly string[];
  @Nested(FlowSettingsInput, { optional: true }) settings?: FlowSettingsInput;
}

@Input({
  rest: 'UpdateFlowBody',
  graphql: 'UpdateFlowInput',
  description: 'Omitted fields do not change. Given fields are replaced as a whole.',
})
export class UpdateFlowInput {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text({ ...TRIGGER, optional: true }) triggerEvent?: string;
  @OneOf(CONTENT_TYPES, { ...CONTENT_TYPE, optional: true }) contentType?: ContentType;
  @Text({ optional: true }) description?: string;
  @Json(CONDITIONS) triggerConditions?: JsonObject;
  @Uuid(SEGMENT) segmentId?: string | null;
  @VariantList(STEPS, STEP_LIST) steps?: readonly NewStep[];
  @Texts(TAGS) tags?: readonly string[];
  @Nested(FlowSettingsInput, { optional: true }) settings?: FlowSettingsInput;
  @Text({ ...SUMMARY, description: 'Saved with the version that is replaced.', example: 'Shorter wait' })
  changeSummary?: string | null;
}

@Input({ rest: 'FlowSettingsBody' })
export class FlowSettingsBody {
  @Nested(FlowSettingsInput) settings: FlowSettingsInput;
}

@Input({ rest: 'RestoreFlowVersionBody', graphql: 'RestoreFlowInput' }, { mayBeAbsent: true })
export class RestoreFlowInput {
  @Text({
    ...SUMMARY,
    default: null,
    description:
      'Saved with the version that is replaced. Defaults to a text that names the restored version.',
    example: 'Back to the longer wait',
  })
  changeSummary?: string | null;

  @Flag({ fallback: false, description: 'Restores the version even while trips are in flight.' })
  force: boolean;
}

/**
 * The requested flow.
 * @throws DomainError invalid_event_name; invalid_field for settings that contradict each other.
 */
export function newFlowOf(input: CreateFlowInput, face: InputSource): NewFlow {
  const { triggerEvent } = input;
  const settings = flowSettingsOf(input.settings);
  assertEventName(triggerEvent, face);
  return {
    name: input.name,
    description: input.description ?? '',
    triggerEvent,
    triggerConditions: input.triggerConditions ?? {},
    segmentId: input.segmentId ?? null,
    steps: input.steps ?? [],
    contentType: input.contentType,
    tags: unique(input.tags ?? []),
    settings,
  };
}

/**
 * The requested update.
 * @throws DomainError as `newFlowOf`.
 */
export function flowUpdateOf(
  input: UpdateFlowInput,
  face: InputSource,
): { readonly update: FlowUpdate; readonly changeSummary: string | null } {
  const { changeSummary = null, settings, tags, ...update } = input;
  const normalized = {
    ...(settings === undefined ? {} : { settings: flowSettingsOf(settings) }),
    ...(tags === undefined ? {} : { tags: unique(tags) }),
  };
  if (update.triggerEvent !== undefined) assertEventName(update.triggerEvent, face);
  return { update: { ...update, ...normalized }, changeSummary };
}

function unique(tags: readonly string[]): readonly string[] {
  return [...new Set(tags)];
}

/**
 * Reads the input of a restore. It is not read by the framework, because the contract requires that the flow's status
 * and version are checked first.
 * @throws DomainError as `readInput`.
 */
export function readRestoreOptions(written: unknown, face: InputSource): RestoreOptions {
  const { changeSummary, force } = readInput(RestoreFlowInput, written, face);
  return { changeSummary: changeSummary ?? null, force };
}

/**
 * All settings, with defaults for omitted ones.
 * @throws DomainError invalid_field for settings that contradict each other.
 */
export function flowSettingsOf(input: FlowSettingsInput | undefined): FlowSettings {
  const settings: FlowSettings = { ...DEFAULT_SETTINGS, ...input };
  assertSettings(settings);
  return settings;
}

function assertEventName(triggerEvent: string, face: InputSource): void {
  if (isEventName(triggerEvent)) return;
  const field = spelled(face, 'triggerEvent');
  throw new DomainError('invalid_event_name', `${field} must be lower snake case, such as order_placed.`, {
    errors: [{ field, message: 'must be lower snake case' }],
  });
}

/** Reads a new flow that did not come through REST or GraphQL; it has the field names of REST. */
export function readFlow(value: unknown): NewFlow {
  return newFlowOf(readInput(CreateFlowInput, value, 'body'), 'body');
}

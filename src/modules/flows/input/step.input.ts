/**
 * Input of a flow's steps, section 2.3: one class per type. Anything that the engine could not run is rejected with
 * the step and field. Whether templates exist is checked at activation.
 */
import { parseDuration } from '../../../kernel/duration.js';
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import { camelCase } from '../../../kernel/letter-case.js';
import { blankProblem } from '../../../platform/input/checks.js';
import { Decimal, Flag, Json, Nested, OneOf, Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { spelled, type InputSource, type JointFlaw } from '../../../platform/input/input-table.js';
import { InnerVariantList, JsonListOf, JsonVariant } from '../../../platform/input/variants.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import { MAX_SLUG_LENGTH, MAX_SUBJECT_LENGTH } from '../../templates/domain/template-limits.js';
import { assignmentErrors } from '../domain/contact-assignment-errors.js';
import { checkErrors, type Check } from '../domain/check.js';
import { STEP_TYPES, type NewStep, type StepType } from '../domain/step.js';
import { CHECK_DESCRIPTION, CHECKS, EXAMPLE_CHECK } from './check.input.js';
import { variantErrors, type AbSplitStep, type Variant } from '../domain/steps/ab-split.js';
import { DIRECTIVES, type Directive } from '../domain/steps/branch.js';
import type { ConditionStep } from '../domain/steps/condition.js';
import { branchErrors, type Branch, type ConditionalSplitStep } from '../domain/steps/conditional-split.js';
import type { SendEmailStep } from '../domain/steps/send-email.js';
import type { UpdateContactStep } from '../domain/steps/update-contact.js';
import type { WaitStep } from '../domain/steps/wait.js';

const TIME_OF_DAY = {
  optional: true,
  check: (text: string) =>
    /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? undefined : 'must be a time such as 09:30',
  message: 'must be a time such as 09:30',
} as const;

@Input(
  { rest: 'EmailSendSettingsFields', graphql: 'EmailSendSettingsInput' },
  {
    nullIsAbsent: true,
    unknownField: () => 'is not a known setting',
    together: (settings, face) => sendWindowErrors(settings, face),
  },
)
export class EmailSendSettingsInput implements Partial<EmailSendSettings> {
  @Flag({ optional: true, default: true, description: 'Ignores the workspace’s frequency cap.' })
  ignoreFrequencyCapping?: boolean;

  @Flag({
    optional: true,
    default: false,
    description: 'Counts this message toward the workspace’s frequency cap.',
  })
  countForFrequencyCapping?: boolean;

  @Flag({
    optional: true,
    default: true,
    description: 'Ignores the workspace’s do-not-disturb hours.',
  })
  ignoreDnd?: boolean;

  @Flag({ optional: true, default: false }) sendToUnsubscribed?: boolean;

  @Flag({
    optional: true,
    default: false,
    description: 'Sends only within the window. The start and end of the window are required if enabled.',
  })
  sendWindowEnabled?: boolean;

  @Text({ ...TIME_OF_DAY, example: '09:00' }) sendWindowStart?: string;
  @Text({ ...TIME_OF_DAY, example: '17:00' }) sendWindowEnd?: string;

  @Text({
    optional: true,
    check: (text) => (text === 'contact' || isTimeZone(text) ? undefined : 'is not a time zone'),
    message: 'must be contact or an IANA time zone, such as Europe/Berlin',
    default: 'contact',
    example: 'Europe/Berlin',
  })
  sendWindowTimezone?: string;
}

/** An enabled window needs both its start and its end. */
function sendWindowErrors(settings: EmailSendSettingsInput, face: InputSource): JointFlaw[] {
  if (settings.sendWindowEnabled !== true) return [];
  const message = `is required when ${spelled(face, 'sendWindowEnabled')} is true`;
  return (['sendWindowStart', 'sendWindowEnd'] as const)
    .filter((member) => settings[member] === undefined)
    .map((member) => ({ member, message }));
}

/** Names of the steps' schemas in openapi.json. A class gets its schema when the documents are generated. */
export const STEP_SCHEMAS = STEP_TYPES.map(schemaOf);

/** Such as `SendEmailStepFields`. */
function schemaOf(type: StepType): string {
  return `${camelCase(`_${type}`)}StepFields`;
}

/** The fields of a kind of step. */
function StepInput(type: StepType): ClassDecorator {
  const unknownField = (): string => `is not a field of a ${type} step`;
  return Input({ rest: schemaOf(type) }, { nullIsAbsent: true, unknownField });
}

@StepInput('send_email')
export class SendEmailStepInput implements SendEmailStep {
  @OneOf(['send_email']) type: 'send_email';

  @Text({ min: 1, max: MAX_SLUG_LENGTH, message: 'must be the slug of a template', example: 'welcome' })
  templateSlug: string;

  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_SUBJECT_LENGTH,
    description: 'Takes precedence over the template’s stored subject.',
  })
  subject?: string;

  @Nested(EmailSendSettingsInput, { optional: true }) emailSendSettings?: EmailSendSettingsInput;
}

@StepInput('wait')
export class WaitStepInput implements WaitStep {
  @OneOf(['wait']) type: 'wait';

  @Text({
    check: (text) => (parseDuration(text) === undefined ? 'is no duration' : undefined),
    message:
      'must be an integer followed by m (minutes), h (hours) or d (days), such as 36h or 2d, and at most ten ' +
      'years',
    example: '2d',
    description: 'An integer followed by m (minutes), h (hours) or d (days).',
  })
  duration: string;
}

@StepInput('update_contact')
export class UpdateContactStepInput implements UpdateContactStep {
  @OneOf(['update_contact']) type: 'update_contact';

  @Json({
    errorsOf: assignmentErrors,
    example: { product_type: 'pro', onboarded: true },
    description: 'Standard fields by their REST names; any other name sets a property. Null clears a value.',
  })
  set: JsonObject;
}

const DIRECTIVE = {
  optional: true,
  nullable: 'absent',
  default: 'continue',
  description: 'Whether the trip continues with the next step or skips to the end.',
} as const;

@StepInput('condition')
export class ConditionStepInput implements ConditionStep {
  @OneOf(['condition']) type: 'condition';
  @JsonVariant(CHECKS, checkErrors, { description: CHECK_DESCRIPTION, example: EXAMPLE_CHECK }) check: Check;
  @OneOf(DIRECTIVES, DIRECTIVE) onTrue?: Directive;
  @OneOf(DIRECTIVES, DIRECTIVE) onFalse?: Directive;
}

const MAX_STEPS = 200;
const MAX_BRANCHES = 20;
const BRANCH_NAME = { min: 1, max: 255, check: blankProblem } as const;
const INNER_STEPS = { optional: true, nullable: 'absent', default: [] } as const;

@Input(
  { rest: 'BranchFields' },
  { nullIsAbsent: true, unknownField: () => 'is not a field of a branch of a conditional_split step' },
)
export class BranchInput implements Branch<NewStep> {
  @Text({ ...BRANCH_NAME, optional: true, nullable: 'absent' }) name?: string;

  @JsonVariant(CHECKS, checkErrors, {
    optional: true,
    nullable: 'absent',
    description: `${CHECK_DESCRIPTION} Only the last branch can omit it: it is taken if no other branch matches.`,
  })
  check?: Check;

  @InnerVariantList(() => STEPS, STEP_SCHEMAS, { most: MAX_STEPS }, INNER_STEPS) steps?: readonly NewStep[];
  @OneOf(DIRECTIVES, { ...DIRECTIVE, description: 'What happens after the steps of the branch.' })
  onTrue?: Directive;
}

@StepInput('conditional_split')
export class ConditionalSplitStepInput implements ConditionalSplitStep<NewStep> {
  @OneOf(['conditional_split']) type: 'conditional_split';

  @JsonListOf(BranchInput, { least: 1, most: MAX_BRANCHES }, branchErrors, {
    description: 'In order: the first branch whose check passes is taken.',
  })
  branches: readonly BranchInput[];
}

@Input(
  { rest: 'VariantFields' },
  { nullIsAbsent: true, unknownField: () => 'is not a field of a variant of an ab_split step' },
)
export class VariantInput implements Variant<NewStep> {
  @Text({ ...BRANCH_NAME, example: 'A' }) name: string;

  @Decimal({
    above: 0,
    max: 100,
    decimals: 2,
    example: 50,
    description: 'Percentage of trips. All variants add up to 100.',
  })
  percentage: number;

  @InnerVariantList(() => STEPS, STEP_SCHEMAS, { most: MAX_STEPS }, INNER_STEPS) steps?: readonly NewStep[];
}

@StepInput('ab_split')
export class AbSplitStepInput implements AbSplitStep<NewStep> {
  @OneOf(['ab_split']) type: 'ab_split';

  @JsonListOf(VariantInput, { least: 2, most: MAX_BRANCHES }, variantErrors, {
    description: 'Each trip takes one variant, determined by its ID.',
    example: [
      { name: 'A', percentage: 50 },
      { name: 'B', percentage: 50 },
    ],
  })
  variants: readonly VariantInput[];
}

export const STEPS = {
  graphqlName: 'FlowStepInput',
  tag: 'type',
  classes: {
    send_email: SendEmailStepInput,
    wait: WaitStepInput,
    update_contact: UpdateContactStepInput,
    condition: ConditionStepInput,
    conditional_split: ConditionalSplitStepInput,
    ab_split: AbSplitStepInput,
  } satisfies Record<StepType, unknown>,
  /** Per list; domain/flow-bounds limits the total to the same number. */
  most: MAX_STEPS,
} as const;

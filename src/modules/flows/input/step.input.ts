/**
 * The steps of a flow as they are written, section 2.3: one class a kind, so that whatever the engine could not carry out
 * is refused, naming step and field. Whether templates exist is asked at activation. This release has no frequency cap, no
 * do-not-disturb and no send window: a setting that would need one is refused, since what is stored is a promise.
 */
import { parseDuration } from '../../../kernel/duration.js';
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import { Flag, Json, Nested, OneOf, Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { isTimeZone } from '../../contacts/domain/read-contact.js';
import { LONGEST_SLUG, LONGEST_SUBJECT } from '../../templates/domain/template-bounds.js';
import { assignmentErrors } from '../domain/contact-assignment-errors.js';
import type { SendEmailStep, Step, UpdateContactStep, WaitStep } from '../domain/step.js';

/** A flag that this release knows only one value of. */
const only = (kept: boolean, missing: string) =>
  ({
    optional: true,
    default: kept,
    description: `Only ${kept} in this release.`,
    check: (value: unknown) =>
      value === kept ? undefined : `must be ${kept}: this release has no ${missing} yet`,
  }) as const;

const TIME_OF_DAY = {
  optional: true,
  check: (text: string) =>
    /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? undefined : 'must be a time such as 09:30',
  message: 'must be a time such as 09:30',
} as const;

@Input(
  { rest: 'EmailSendSettingsFields', graphql: 'EmailSendSettingsInput' },
  { nullIsAbsent: true, unknownField: () => 'is not a known setting' },
)
export class EmailSendSettingsInput implements Partial<EmailSendSettings> {
  @Flag(only(true, 'frequency cap')) ignoreFrequencyCapping?: boolean;
  @Flag(only(false, 'frequency cap')) countForFrequencyCapping?: boolean;
  @Flag(only(true, 'do-not-disturb windows')) ignoreDnd?: boolean;
  @Flag({ optional: true, default: false }) sendToUnsubscribed?: boolean;
  @Flag(only(false, 'send windows')) sendWindowEnabled?: boolean;
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

const fieldsOf = (type: Step['type']) =>
  ({ nullIsAbsent: true, unknownField: () => `is not a field of a ${type} step` }) as const;

@Input({ rest: 'SendEmailStepFields' }, fieldsOf('send_email'))
export class SendEmailStepInput implements SendEmailStep {
  @OneOf(['send_email']) type: 'send_email';

  @Text({ min: 1, max: LONGEST_SLUG, message: 'must be the slug of a template', example: 'welcome' })
  templateSlug: string;

  @Text({
    optional: true,
    nullable: 'absent',
    max: LONGEST_SUBJECT,
    description: 'Goes before the template’s stored subject.',
  })
  subject?: string;

  @Nested(EmailSendSettingsInput, { optional: true }) emailSendSettings?: EmailSendSettingsInput;
}

@Input({ rest: 'WaitStepFields' }, fieldsOf('wait'))
export class WaitStepInput implements WaitStep {
  @OneOf(['wait']) type: 'wait';

  @Text({
    check: (text) => (parseDuration(text) === undefined ? 'is no duration' : undefined),
    message: 'must be an integer and h (hours) or d (days), such as 36h or 2d, of at most ten years',
    example: '2d',
    description: 'An integer and h (hours) or d (days).',
  })
  duration: string;
}

@Input({ rest: 'UpdateContactStepFields' }, fieldsOf('update_contact'))
export class UpdateContactStepInput implements UpdateContactStep {
  @OneOf(['update_contact']) type: 'update_contact';

  @Json({
    errorsOf: assignmentErrors,
    example: { product_type: 'pro', onboarded: true },
    description: 'Standard fields by their names in REST, any other name is a property; null clears.',
  })
  set: JsonObject;
}

/** Kinds of steps of section 2.3 that come with a later release. */
const LATER = new Set(['condition', 'conditional_split', 'ab_split']);

export const STEPS = {
  graphqlName: 'FlowStepInput',
  tag: 'type',
  classes: {
    send_email: SendEmailStepInput,
    wait: WaitStepInput,
    update_contact: UpdateContactStepInput,
  } satisfies Record<Step['type'], unknown>,
  refusalOf: (kind: string) => (LATER.has(kind) ? `${kind} is not in this release yet` : undefined),
  /** More than any flow that a person can follow; each trip walks through them. */
  most: 200,
} as const;

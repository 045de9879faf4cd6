/**
 * Reads the steps of a flow as they are saved, section 2.3: whatever the engine could not carry out is refused here,
 * naming step and field. Whether templates exist is asked at activation.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { parseDuration } from '../../../kernel/duration.js';
import { isJsonObject, isStorableText, type JsonObject } from '../../../kernel/json.js';
import { assignmentErrors } from './contact-assignment-errors.js';
import { readEmailSendSettings } from './email-send-settings.js';
import { reading, refused, type Reading } from './reading.js';
import type { SendEmailStep, Step } from './step.js';

const LONGEST_SUBJECT = 255;
const LONGEST_SLUG = 255;

type Reader = (input: JsonObject, at: string) => Reading<Step>;

const READERS: Readonly<Record<Step['type'], { readonly fields: readonly string[]; readonly read: Reader }>> =
  {
    send_email: { fields: ['type', 'template_slug', 'subject', 'email_send_settings'], read: readSendEmail },
    wait: { fields: ['type', 'duration'], read: readWait },
    update_contact: { fields: ['type', 'set'], read: readUpdateContact },
  };

/** Kinds of steps of section 2.3 that come with a later release. */
const LATER = new Set(['condition', 'conditional_split', 'ab_split']);

/** More than any flow that a person can follow; each trip walks through them. */
const MOST_STEPS = 200;

/** Reads all steps, or names everything that is wrong with any of them. */
export function readSteps(input: readonly unknown[]): Reading<readonly Step[]> {
  if (input.length > MOST_STEPS) return refuse('steps', `must be at most ${MOST_STEPS} steps`);
  const steps: Step[] = [];
  const errors: FieldError[] = [];
  input.forEach((raw, index) => {
    const read = readStep(raw, `steps[${index}]`);
    if (read.ok) steps.push(read.value);
    else errors.push(...read.errors);
  });
  return reading(steps, errors);
}

function readStep(input: unknown, at: string): Reading<Step> {
  if (!isJsonObject(input)) return refuse(at, 'must be an object');
  const { type } = input;
  if (type === undefined) return refuse(`${at}.type`, 'is required');
  if (typeof type === 'string' && LATER.has(type))
    return refuse(`${at}.type`, `${type} is not in this release yet`);
  const isKnown = typeof type === 'string' && Object.hasOwn(READERS, type);
  if (!isKnown) return refuse(`${at}.type`, `must be ${Object.keys(READERS).join(', ')}`);
  const { fields, read } = READERS[type as Step['type']];
  const unknown = Object.keys(input).filter((name) => !fields.includes(name));
  if (unknown.length > 0)
    return {
      ok: false,
      errors: unknown.map((name) => refused(`${at}.${name}`, `is not a field of a ${type} step`)),
    };
  return read(input, at);
}

function readSendEmail(input: JsonObject, at: string): Reading<SendEmailStep> {
  const { template_slug: slug, subject, email_send_settings: settings } = input;
  const errors: FieldError[] = [];
  if (slug === undefined) errors.push(refused(`${at}.template_slug`, 'is required'));
  else if (!isText(slug, LONGEST_SLUG) || slug === '')
    errors.push(refused(`${at}.template_slug`, 'must be the slug of a template'));
  if (subject !== undefined && subject !== null && !isText(subject, LONGEST_SUBJECT))
    errors.push(refused(`${at}.subject`, `must be a text of at most ${LONGEST_SUBJECT} characters`));
  const read =
    settings === undefined ? undefined : readEmailSendSettings(settings, `${at}.email_send_settings`);
  if (read?.ok === false) errors.push(...read.errors);
  const step: SendEmailStep = {
    type: 'send_email',
    templateSlug: slug as string,
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(read?.ok ? { emailSendSettings: read.value } : {}),
  };
  return reading(step, errors);
}

function readWait({ duration }: JsonObject, at: string): Reading<Step> {
  if (duration === undefined) return refuse(`${at}.duration`, 'is required');
  if (parseDuration(duration) === undefined)
    return refuse(
      `${at}.duration`,
      'must be an integer and h (hours) or d (days), such as 36h or 2d, of at most ten years',
    );
  return reading({ type: 'wait', duration: duration as string }, []);
}

function readUpdateContact({ set }: JsonObject, at: string): Reading<Step> {
  if (set === undefined) return refuse(`${at}.set`, 'is required');
  const errors = assignmentErrors(set, `${at}.set`);
  return reading({ type: 'update_contact', set: set as JsonObject }, errors);
}

function refuse(field: string, message: string): Reading<never> {
  return { ok: false, errors: [refused(field, message)] };
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.length <= longest && isStorableText(value);
}

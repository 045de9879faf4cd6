/**
 * Input for previews of templates, section 4.3: preview, render-inline, validate. Everything is optional, and null
 * counts as absent, so the response of preview-context can be sent unchanged.
 */
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { TEMPLATE_LANGUAGES, type TemplateLanguage } from '../../../language/language.js';
import { Json, JsonOf, OneOf, Read, SearchText, Text, Unvalidated } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import type { InputContext } from '../../../platform/input/input-table.js';
import { isFull, readNested, refuse, nestedContext } from '../../../platform/input/read-input.js';
import type { InlineContent, PreviewSample } from '../domain/preview.js';
import { contentProblem, MAX_BODY_BYTES, MAX_SUBJECT_LENGTH } from '../domain/template-limits.js';

/** Null counts as absent. */
const OPTIONAL = { optional: true, nullable: 'absent' } as const;

type SampleEvents = NonNullable<PreviewSample['additionalEvents']>;

@Input({ rest: 'SampleEventBody' })
export class SampleEventInput {
  @SearchText({ ...OPTIONAL, example: 'order_placed' }) eventName?: string;
  @Json({ ...OPTIONAL, example: { amount: 19.9 } }) attributes?: JsonObject;
  @Unvalidated({
    ...OPTIONAL,
    example: '2026-03-02T09:00:00.000Z',
    description: 'As returned by preview-context. Not used for rendering.',
  })
  occurredAt?: unknown;
}

@Input({ rest: 'PreviewBody' }, { mayBeAbsent: true })
export class PreviewInput {
  @Json({
    ...OPTIONAL,
    example: { first_name: 'Ada', timezone: 'Europe/London', locale: 'en-GB' },
    description: 'Fields of a contact. `timezone` and `locale` determine formats.',
  })
  contact?: JsonObject;

  @JsonOf(SampleEventInput, { ...OPTIONAL, description: '`event_name` and `attributes`.' })
  triggerEvent?: SampleEventInput;

  @Read(readEvents, {
    ...OPTIONAL,
    example: { signed_up: { attributes: { plan: 'pro' } } },
    description:
      'By event name, each with `attributes`. A list of `{event_name, attributes}` is also accepted; if a name ' +
      'is repeated, its last entry is used.',
  })
  additionalEvents?: SampleEvents;
}

@Arguments()
export class PreviewTemplateArgs extends PreviewInput {
  @SearchText() slug: string;
}

const CONTENT = {
  description: `At most ${MAX_BODY_BYTES} bytes of UTF-8.`,
  check: contentProblem,
  example: "<p>Hi {the user's First Name}</p>",
} as const;
const SUBJECT = { ...OPTIONAL, max: MAX_SUBJECT_LENGTH, example: 'Welcome' } as const;
const LANGUAGE = {
  ...OPTIONAL,
  description: 'nlt, jinja2 or null, as in a template’s template_language.',
} as const;

@Input({ rest: 'InlineBody', graphql: 'InlineTemplateInput' }, { mayBeAbsent: true })
export class InlineContentInput extends PreviewInput {
  @Text(SUBJECT) subject?: string;
  @Text({ ...OPTIONAL, ...CONTENT }) bodyHtml?: string;
  @OneOf(TEMPLATE_LANGUAGES, { ...LANGUAGE, only: 'graphql' }) templateLanguage?: TemplateLanguage;
}

/** Content to check as preflight does, without a contact. */
@Arguments()
export class PreflightContentArgs {
  @Text(CONTENT) bodyHtml: string;
  @Text(SUBJECT) subject?: string;
  @OneOf(TEMPLATE_LANGUAGES, LANGUAGE) templateLanguage?: TemplateLanguage;
}

/** The data to render with. */
export function sampleOf({ contact, triggerEvent, additionalEvents }: PreviewInput): PreviewSample {
  return {
    contact: contact ?? null,
    triggerEvent: triggerEvent
      ? { eventName: triggerEvent.eventName ?? '', attributes: triggerEvent.attributes ?? {} }
      : null,
    additionalEvents: additionalEvents ?? null,
  };
}

/** The unsaved content, with its data. */
export function inlineContentOf(input: InlineContentInput): InlineContent {
  const { subject = null, bodyHtml = null, templateLanguage = null } = input;
  return { subject, bodyHtml, templateLanguage, sample: sampleOf(input) };
}

/** By name, or as a list of events with their names. */
function readEvents(value: unknown, position: InputContext): SampleEvents {
  const isList = Array.isArray(value);
  const entriesGiven = isList || isJsonObject(value) ? Object.entries(value) : [];
  if (!isList && !isJsonObject(value)) refuse(position, 'must be an object');
  const entries: [string, { readonly attributes: JsonObject }][] = [];
  for (const [key, written] of entriesGiven as [string, unknown][]) {
    if (isFull(position)) break;
    if (written === null && !isList) continue;
    const eventPosition: InputContext = { ...nestedContext(position, key, isList), source: 'body' };
    const event = readNested(SampleEventInput, written, eventPosition);
    if (!event) continue;
    if (isList && event.eventName === undefined)
      refuse(nestedContext(eventPosition, 'event_name'), 'is required');
    entries.push([isList ? (event.eventName ?? '') : key, { attributes: event.attributes ?? {} }]);
  }
  return Object.fromEntries(entries);
}

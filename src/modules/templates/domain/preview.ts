/**
 * Rendering a template with sample data instead of a recipient's, section 4.3: what a message with this data would
 * be, and why it would not be sent.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { RenderContext, RenderResult, TemplateLanguage } from '../../../language/language.js';
import type { CompiledParts } from './compiled-version.js';

/** Data to render with. Nothing is made up: what is not given is missing for the template too. */
export interface PreviewSample {
  /** A contact's fields; its `timezone` and `locale` decide about formats. */
  readonly contact: JsonObject | null;
  readonly triggerEvent: { readonly eventName: string; readonly attributes: JsonObject } | null;
  /** The contact's latest other events, by name. */
  readonly additionalEvents: Readonly<Record<string, { readonly attributes: JsonObject }>> | null;
}

/** Content that is not saved; null: not given. */
export interface InlineContent {
  readonly subject: string | null;
  readonly bodyHtml: string | null;
  readonly templateLanguage: TemplateLanguage | null;
  readonly sample: PreviewSample;
}

/** Data to preview with, as it is asked for: null or an empty list where nothing is. */
export interface PreviewQuery {
  readonly eventName: string | null;
  readonly additionalEvents: readonly string[];
  /** Record id or external_id; null: whoever the most recent event belongs to. */
  readonly contactId: string | null;
}

/** `reason` is what the log of a suppressed message would say; `errors` tell why nothing can be rendered. */
export type Preview =
  | {
      readonly kind: 'rendered';
      /** Null when there is none. */
      readonly subject: string | null;
      readonly html: string;
      readonly text: string;
    }
  | { readonly kind: 'suppressed'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly errors: readonly FieldError[];
      /** Whether it would take more work than it was given. */
      readonly overworked: boolean;
    };

/** The data as a rendering takes it. */
export function contextOf(
  { contact, triggerEvent, additionalEvents }: PreviewSample,
  now: Date,
): RenderContext {
  const { locale, timezone } = contact ?? {};
  return {
    contact: contact ?? {},
    events: additionalEvents ?? {},
    now,
    ...(triggerEvent
      ? { triggerEvent: { eventName: triggerEvent.eventName, attributes: triggerEvent.attributes } }
      : {}),
    ...(typeof locale === 'string' ? { locale } : {}),
    ...(typeof timezone === 'string' ? { timeZone: timezone } : {}),
  };
}

/** Whether anything is given to render with. */
export function hasSample({ contact, triggerEvent, additionalEvents }: PreviewSample): boolean {
  return contact !== null || triggerEvent !== null || additionalEvents !== null;
}

/**
 * Renders all parts; one that is suppressed suppresses the message.
 * @param work how much each part may cost, as CompiledTemplate.render takes it.
 */
export function previewOf(parts: CompiledParts, context: RenderContext, work?: number): Preview {
  const subject = parts.subject?.render(context, work);
  const html = parts.html.render(context, work);
  const text = parts.text.render(context, work);
  const errors = [...failureOf('subject', subject), ...failureOf('body_html', html)];
  // What is wrong with the body is wrong with the text that was made from it.
  if (errors.length === 0) errors.push(...failureOf('body_text', text));
  if (errors.length > 0)
    return { kind: 'failed', errors, overworked: [subject, html, text].some(isOverworked) };
  for (const result of [subject, html, text])
    if (result?.kind === 'suppressed') return { kind: 'suppressed', reason: missingRequired(result.field) };
  return {
    kind: 'rendered',
    subject: subject ? textOf(subject) : null,
    html: textOf(html),
    text: textOf(text),
  };
}

/** Whether a rendering took more work than it was given. */
export function isOverworked(result: RenderResult | null | undefined): boolean {
  return result?.kind === 'failed' && result.error.code === 'work_limit';
}

function failureOf(field: string, result: RenderResult | undefined): FieldError[] {
  return result?.kind === 'failed' ? [{ field, message: result.error.message }] : [];
}

function textOf(result: RenderResult): string {
  return result.kind === 'rendered' ? result.text : '';
}

export type MissingRequired = `missing_required_field: ${string}`;

/** The reason of a message that is suppressed because a required field of its template has no value. */
export function missingRequired(field: string): MissingRequired {
  return `missing_required_field: ${field}`;
}

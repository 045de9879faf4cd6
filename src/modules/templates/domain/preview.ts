/**
 * Renders a template with sample data instead of a recipient's, section 4.3: the message that this data would give,
 * and the reason if it would not be sent.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { RenderContext, RenderResult, TemplateLanguage } from '../../../language/language.js';
import type { CompiledParts } from './compiled-content.js';

/** Data to render with. Nothing is invented: what is not given is missing in the template too. */
export interface PreviewSample {
  /** A contact's fields; its `timezone` and `locale` determine formats. */
  readonly contact: JsonObject | null;
  readonly triggerEvent: { readonly eventName: string; readonly attributes: JsonObject } | null;
  /** The contact's latest other events, by name. */
  readonly additionalEvents: Readonly<Record<string, { readonly attributes: JsonObject }>> | null;
}

/** Unsaved content; null: not given. */
export interface InlineContent {
  readonly subject: string | null;
  readonly bodyHtml: string | null;
  readonly templateLanguage: TemplateLanguage | null;
  readonly sample: PreviewSample;
}

/** The requested preview data: null or an empty list for what is not requested. */
export interface PreviewQuery {
  readonly eventName: string | null;
  readonly additionalEvents: readonly string[];
  /** Record id or external_id; null: the contact of the most recent event. */
  readonly contactId: string | null;
}

/**
 * `reason` is the reason that the log of a suppressed message would have; `errors` say why nothing can be rendered.
 */
export type Preview =
  | {
      readonly kind: 'rendered';
      /** Null if there is none. */
      readonly subject: string | null;
      readonly html: string;
      readonly text: string;
    }
  | { readonly kind: 'suppressed'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly errors: readonly FieldError[];
      /** Whether rendering exceeds its work limit. */
      readonly exceedsWorkLimit: boolean;
    };

/** Converts the sample to the context of a rendering. */
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

/** Whether the sample contains any data. */
export function hasSample({ contact, triggerEvent, additionalEvents }: PreviewSample): boolean {
  return contact !== null || triggerEvent !== null || additionalEvents !== null;
}

/**
 * Renders all parts; if one is suppressed, so is the message.
 * @param work limit of each part, as for CompiledTemplate.render.
 */
export function previewOf(parts: CompiledParts, context: RenderContext, work?: number): Preview {
  const subject = parts.subject?.render(context, work);
  const html = parts.html.render(context, work);
  const text = parts.text.render(context, work);
  const errors = [...failureOf('subject', subject), ...failureOf('body_html', html)];
  // The text is derived from the body, so errors of the body would appear twice.
  if (errors.length === 0) errors.push(...failureOf('body_text', text));
  if (errors.length > 0)
    return { kind: 'failed', errors, exceedsWorkLimit: [subject, html, text].some(isOverWorkLimit) };
  for (const result of [subject, html, text])
    if (result?.kind === 'suppressed') return { kind: 'suppressed', reason: missingRequired(result.field) };
  return {
    kind: 'rendered',
    subject: subject ? textOf(subject) : null,
    html: textOf(html),
    text: textOf(text),
  };
}

/** Whether a rendering exceeded its work limit. */
export function isOverWorkLimit(result: RenderResult | null | undefined): boolean {
  return result?.kind === 'failed' && result.error.code === 'work_limit';
}

function failureOf(field: string, result: RenderResult | undefined): FieldError[] {
  return result?.kind === 'failed' ? [{ field, message: result.error.message }] : [];
}

function textOf(result: RenderResult): string {
  return result.kind === 'rendered' ? result.text : '';
}

export type MissingRequired = `missing_required_field: ${string}`;

/** The reason for suppressing a message because a required field of its template has no value. */
export function missingRequired(field: string): MissingRequired {
  return `missing_required_field: ${field}`;
}

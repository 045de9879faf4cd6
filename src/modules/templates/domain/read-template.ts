/**
 * Reads the body of POST /v1/templates, sections 2.7 and 4.3. Templates are content only: whoever sends a field of
 * delivery with them is told so, since it would otherwise seem to have an effect.
 */
import { DomainError, invalidFields, missingField, type FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { templateErrors } from './template-bounds.js';
import { TEMPLATE_LANGUAGES, type NewTemplate, type TemplateLanguage } from './template.js';

const DELIVERY_FIELDS = new Set(['sender_name', 'from_email', 'reply_to', 'bcc', 'content_type', 'status']);
const REQUIRED = ['name', 'slug', 'body_html'] as const;

/** What is wrong with a value of the field's type; undefined when nothing is. */
const TYPES: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  name: textOnly,
  slug: textOnly,
  body_html: textOnly,
  subject: (value) => (value === null ? undefined : textOnly(value)),
  body_ast: (value) => (value === null || isJsonObject(value) ? undefined : 'must be an object or null'),
  is_active: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  template_language: (value) =>
    value === null || TEMPLATE_LANGUAGES.includes(value as TemplateLanguage)
      ? undefined
      : `must be ${TEMPLATE_LANGUAGES.join(', ')} or null`,
};

/**
 * Reads a new template.
 * @throws DomainError invalid_field naming every field that is wrong, unknown or of delivery; validation_error when
 *   a required one is missing.
 */
export function readTemplate(input: unknown): NewTemplate {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const errors = Object.entries(input).flatMap(([field, value]): FieldError[] => {
    const message = fieldProblem(field, value);
    return message === undefined ? [] : [{ field, message }];
  });
  if (errors.length > 0) throw invalidFields(errors);
  for (const field of REQUIRED) if (input[field] === undefined) throw missingField(field);
  const template = toTemplate(input);
  const outside = templateErrors(template);
  if (outside.length > 0) throw invalidFields(outside);
  return template;
}

function fieldProblem(field: string, value: unknown): string | undefined {
  if (DELIVERY_FIELDS.has(field)) return 'is not a field of a template: templates are content only';
  if (!Object.hasOwn(TYPES, field)) return 'is not a known field';
  return value === undefined ? undefined : TYPES[field]?.(value);
}

function textOnly(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a text';
}

/** The types have been checked field by field. */
function toTemplate(input: JsonObject): NewTemplate {
  const fields = input as Readonly<Record<(typeof REQUIRED)[number], string>> & JsonObject;
  return {
    name: fields.name,
    slug: fields.slug,
    bodyHtml: fields.body_html,
    subject: fields['subject'] as NewTemplate['subject'],
    bodyAst: fields['body_ast'] as NewTemplate['bodyAst'],
    templateLanguage: fields['template_language'] as NewTemplate['templateLanguage'],
    isActive: fields['is_active'] as NewTemplate['isActive'],
  };
}

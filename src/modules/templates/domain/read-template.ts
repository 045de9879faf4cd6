/**
 * Reads the bodies of POST /v1/templates, PUT /v1/templates/{slug} and of the routes of versions, sections 2.7 and
 * 4.3. Templates are content only: whoever sends a field of delivery with them is told so, since it would otherwise
 * seem to have an effect.
 */
import { DomainError, invalidFields, missingField, type FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { TEMPLATE_LANGUAGES, type TemplateLanguage } from '../../../language/language.js';
import { assertNote, assertTemplate, assertUpdate, assertVersionNote } from './template-bounds.js';
import type { ChangeNote, VersionNote } from './template-version.js';
import type { NewTemplate, TemplateUpdate } from './template.js';

/** What is wrong with a value of a field's type; undefined when nothing is. */
type Check = (value: unknown) => string | undefined;
type Checks = Readonly<Record<string, Check>>;

const DELIVERY_FIELDS = new Set(['sender_name', 'from_email', 'reply_to', 'bcc', 'content_type', 'status']);
const REQUIRED = ['name', 'slug', 'body_html'] as const;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const objectOrNull: Check = (value) =>
  value === null || isJsonObject(value) ? undefined : 'must be an object or null';

const TEMPLATE: Checks = {
  name: text,
  slug: text,
  body_html: text,
  subject: (value) => (value === null ? undefined : text(value)),
  body_ast: objectOrNull,
  is_active: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  template_language: (value) =>
    value === null || TEMPLATE_LANGUAGES.includes(value as TemplateLanguage)
      ? undefined
      : `must be ${TEMPLATE_LANGUAGES.join(', ')} or null`,
};
const CHANGE: Checks = {
  // A null that was taken for "any version" would lose someone's work.
  expected_version: (value) => (Number.isInteger(value) ? undefined : 'must be an integer'),
  change_summary: (value) => (value === null ? undefined : text(value)),
};
const UPDATE: Checks = { ...TEMPLATE, ...CHANGE };
const VERSION: Checks = { change_summary: CHANGE['change_summary'] as Check, document_json: objectOrNull };

/**
 * Reads a new template.
 * @throws DomainError invalid_field naming every field that is wrong, unknown or of delivery; validation_error when
 *   a required one is missing.
 */
export function readTemplate(input: unknown): NewTemplate {
  const fields = checked(input, TEMPLATE);
  for (const field of REQUIRED) if (fields[field] === undefined) throw missingField(field);
  const template = { ...fieldsOf(fields), slug: fields['slug'] } as NewTemplate;
  assertTemplate(template);
  return template;
}

/**
 * Reads an update.
 * @param slug of the template; the body may repeat it, and not change it.
 * @throws DomainError as readTemplate; validation_error for body_ast without body_html.
 */
export function readTemplateUpdate(
  input: unknown,
  slug: string,
): { readonly update: TemplateUpdate; readonly note: ChangeNote } {
  const fields = checked(input, UPDATE);
  if (fields['slug'] !== undefined && fields['slug'] !== slug)
    throw invalidFields([{ field: 'slug', message: 'cannot be changed: flows name the template by it' }]);
  const [update, note] = [fieldsOf(fields), noteOf(fields)];
  assertUpdate(update, note);
  return { update, note };
}

/**
 * Reads what is said with a restore; no body at all says nothing.
 * @throws DomainError invalid_field.
 */
export function readRestore(input: unknown): ChangeNote {
  const note = noteOf(checked(input ?? {}, CHANGE));
  assertNote(note);
  return note;
}

/**
 * Reads what is said of a version that is made by hand; no body at all says nothing.
 * @throws DomainError invalid_field.
 */
export function readVersionNote(input: unknown): VersionNote {
  const fields = checked(input ?? {}, VERSION);
  const note: VersionNote = {
    changeSummary: (fields['change_summary'] ?? null) as VersionNote['changeSummary'],
    documentJson: (fields['document_json'] ?? null) as VersionNote['documentJson'],
  };
  assertVersionNote(note);
  return note;
}

/** The body, once every member of it has been checked. */
function checked(input: unknown, checks: Checks): JsonObject {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const errors = Object.entries(input).flatMap(([field, value]): FieldError[] => {
    const message = fieldProblem(field, value, checks);
    return message === undefined ? [] : [{ field, message }];
  });
  if (errors.length > 0) throw invalidFields(errors);
  return input;
}

function fieldProblem(field: string, value: unknown, checks: Checks): string | undefined {
  if (DELIVERY_FIELDS.has(field)) return 'is not a field of a template: templates are content only';
  if (!Object.hasOwn(checks, field)) return 'is not a known field';
  return value === undefined ? undefined : checks[field]?.(value);
}

/** The types have been checked field by field. */
function fieldsOf(fields: JsonObject): TemplateUpdate {
  return {
    name: fields['name'],
    bodyHtml: fields['body_html'],
    subject: fields['subject'],
    bodyAst: fields['body_ast'],
    templateLanguage: fields['template_language'],
    isActive: fields['is_active'],
  } as TemplateUpdate;
}

function noteOf(fields: JsonObject): ChangeNote {
  return {
    expectedVersion: fields['expected_version'] as ChangeNote['expectedVersion'],
    changeSummary: fields['change_summary'] as ChangeNote['changeSummary'],
  };
}

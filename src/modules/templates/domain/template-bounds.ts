/** The bounds of a template's fields, sections 2.7 and 8.3, whoever saves, previews or sends it. Lengths are in characters. */
import { DomainError, invalidFields, type FieldError } from '../../../kernel/domain-error.js';
import { depthOf, isStorableJson, isStorableText } from '../../../kernel/json.js';
import { lengthOf } from '../../../kernel/text-length.js';
import type { ChangeNote, VersionNote } from './template-version.js';
import type { NewTemplate, TemplateUpdate } from './template.js';

export const LONGEST_NAME = 255;
export const LONGEST_SUBJECT = 255;
export const LONGEST_SUMMARY = 500;
/** A slug is part of an index, whose rows are bounded. */
export const LONGEST_SLUG = 255;
/** 2 MB, in bytes of UTF-8. */
export const LARGEST_BODY = 2_097_152;
/** 2 MB, in bytes of UTF-8. */
export const LARGEST_DOCUMENT = 2_097_152;
const DEEPEST_JSON = 100;

export const SLUG = /^[a-z0-9-]+$/;
const NOT_STORABLE = 'must not hold NUL or half characters';

/** @throws DomainError invalid_field naming every field of a new template that is outside of its bounds. */
export function assertTemplate(template: NewTemplate): void {
  refuse([...problem('slug', slugProblem(template.slug)), ...fieldErrors(template)]);
}

/**
 * Section 4.3: a document of the visual editor comes with the HTML that it stands for.
 * @throws DomainError invalid_field naming every field of an update that is outside of its bounds; validation_error
 *   for a document without HTML.
 */
export function assertUpdate(update: TemplateUpdate, note: ChangeNote): void {
  refuse([...fieldErrors(update), ...summaryErrors(note)]);
  if (update.bodyAst && update.bodyHtml === undefined)
    throw new DomainError('validation_error', 'body_html: is required when body_ast is given', {
      errors: [{ field: 'body_html', message: 'is required when body_ast is given' }],
    });
}

/** @throws DomainError invalid_field for a summary that is too long. */
export function assertNote(note: ChangeNote): void {
  refuse(summaryErrors(note));
}

/** @throws DomainError invalid_field for a summary or a document outside of its bounds. */
export function assertVersionNote(note: VersionNote): void {
  refuse([
    ...summaryErrors(note),
    ...problem(
      'document_json',
      note.documentJson ? jsonProblem(note.documentJson, LARGEST_DOCUMENT) : undefined,
    ),
  ]);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors);
}

function fieldErrors({ name, bodyHtml, subject, bodyAst }: TemplateUpdate): FieldError[] {
  return [
    ...problem('name', name === undefined ? undefined : nameProblem(name)),
    ...problem('body_html', bodyHtml === undefined ? undefined : bodyProblem(bodyHtml)),
    ...problem('subject', typeof subject === 'string' ? textProblem(subject, LONGEST_SUBJECT) : undefined),
    ...problem('body_ast', bodyAst ? jsonProblem(bodyAst) : undefined),
  ];
}

function summaryErrors({ changeSummary }: Pick<ChangeNote, 'changeSummary'>): FieldError[] {
  return typeof changeSummary === 'string'
    ? problem('change_summary', textProblem(changeSummary, LONGEST_SUMMARY))
    : [];
}

function problem(field: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }];
}

function nameProblem(name: string): string | undefined {
  if (name === '' || lengthOf(name) > LONGEST_NAME) return `must be 1 to ${LONGEST_NAME} characters long`;
  return isStorableText(name) ? undefined : NOT_STORABLE;
}

function slugProblem(slug: string): string | undefined {
  if (lengthOf(slug) > LONGEST_SLUG) return `must be at most ${LONGEST_SLUG} characters long`;
  return SLUG.test(slug) ? undefined : 'must consist of lowercase letters, digits and hyphens';
}

function bodyProblem(body: string): string | undefined {
  return body === '' ? 'must not be empty' : contentProblem(body);
}

/** What keeps `body` from being what a template may hold, besides being empty; undefined when nothing does. */
export function contentProblem(body: string): string | undefined {
  if (Buffer.byteLength(body) > LARGEST_BODY) return `must be at most ${LARGEST_BODY} bytes of UTF-8 (2 MB)`;
  return isStorableText(body) ? undefined : NOT_STORABLE;
}

/** What is wrong with a text of at most `longest` characters; undefined when nothing is. */
export function textProblem(text: string, longest: number): string | undefined {
  if (lengthOf(text) > longest) return `must be at most ${longest} characters long`;
  return isStorableText(text) ? undefined : NOT_STORABLE;
}

function jsonProblem(value: object, largest = Infinity): string | undefined {
  if (depthOf(value, DEEPEST_JSON) > DEEPEST_JSON) return `must not be nested deeper than ${DEEPEST_JSON}`;
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > largest) return `must be at most ${largest} bytes of JSON (2 MB)`;
  return isStorableJson(json) ? undefined : NOT_STORABLE;
}

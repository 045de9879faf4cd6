/**
 * Input for templates, sections 2.7 and 4.3, shared by REST and GraphQL. Templates are content only: a delivery field
 * is rejected, since it would otherwise seem to have an effect.
 */
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import { TEMPLATE_LANGUAGES, type TemplateLanguage } from '../../../language/language.js';
import { Flag, Json, OneOf, Text, Integer } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { spelled, type InputSource } from '../../../platform/input/input-table.js';
import { readInput } from '../../../platform/input/read-input.js';
import {
  contentProblem,
  documentProblem,
  MAX_BODY_BYTES,
  MAX_DOCUMENT_BYTES,
  MAX_TEMPLATE_NAME_LENGTH,
  MAX_SLUG_LENGTH,
  MAX_SUBJECT_LENGTH,
  MAX_SUMMARY_LENGTH,
  SLUG_PATTERN,
  slugProblem,
  treeProblem,
} from '../domain/template-limits.js';
import type { ChangeNote, VersionNote } from '../domain/template-version.js';
import type { NewTemplate, TemplateUpdate } from '../domain/template.js';

const DELIVERY_FIELDS = new Set(['sender_name', 'from_email', 'reply_to', 'bcc', 'content_type', 'status']);

const CONTENT_ONLY = {
  unknownField: (name: string): string =>
    DELIVERY_FIELDS.has(name)
      ? 'is not a field of a template: templates contain content only'
      : 'is not a known field',
};

const NAME = { min: 1, max: MAX_TEMPLATE_NAME_LENGTH, example: 'Welcome' } as const;
const BODY_HTML = {
  min: 1,
  check: contentProblem,
  description: `At most ${MAX_BODY_BYTES} bytes of UTF-8.`,
  example: '<p>Hi {the user\'s First Name, or "there"}</p>',
} as const;
const SUBJECT = {
  optional: true,
  nullable: true,
  max: MAX_SUBJECT_LENGTH,
  example: 'Welcome aboard',
} as const;
const BODY_AST = { optional: true, nullable: true, check: treeProblem } as const;
const LANGUAGE = { optional: true, nullable: true } as const;
const SUMMARY = { optional: true, nullable: true, max: MAX_SUMMARY_LENGTH } as const;

@Input({ rest: 'CreateTemplateBody', graphql: 'CreateTemplateInput' }, CONTENT_ONLY)
export class CreateTemplateInput implements NewTemplate {
  @Text(NAME) name: string;

  @Text({
    max: MAX_SLUG_LENGTH,
    pattern: SLUG_PATTERN,
    check: slugProblem,
    example: 'welcome',
    description: 'Lowercase letters, digits and hyphens; unique in the workspace.',
  })
  slug: string;

  @Text(BODY_HTML) bodyHtml: string;
  @Text(SUBJECT) subject?: string | null;
  @Json({ ...BODY_AST, description: 'Block document of the visual editor.' }) bodyAst?: JsonObject | null;
  @Flag({ optional: true, default: true, description: 'Defaults to true.' }) isActive?: boolean;

  @OneOf(TEMPLATE_LANGUAGES, { ...LANGUAGE, default: null, description: 'nlt, jinja2 or null.' })
  templateLanguage?: TemplateLanguage | null;
}

@Input({ rest: 'RestoreTemplateVersionBody', graphql: 'RestoreTemplateInput' }, { mayBeAbsent: true })
export class RestoreTemplateInput implements ChangeNote {
  @Integer({
    optional: true,
    description: 'The version you last read. Returns a conflict if another version is current.',
    example: 4,
  })
  expectedVersion?: number;

  @Text({
    ...SUMMARY,
    description:
      'Saved with the version that is replaced. Defaults to a text that names the restored version.',
    example: 'Before the new greeting',
  })
  changeSummary?: string | null;
}

@Input(
  {
    rest: 'UpdateTemplateBody',
    graphql: 'UpdateTemplateInput',
    description: 'Omitted fields do not change. Null clears subject, bodyAst and templateLanguage.',
  },
  CONTENT_ONLY,
)
export class UpdateTemplateInput implements TemplateUpdate, ChangeNote {
  @Text({ ...NAME, optional: true }) name?: string;

  @Text({
    only: 'rest',
    optional: true,
    description: 'The slug cannot be changed; if given, it must equal the slug in the path.',
    example: 'welcome',
  })
  slug?: string;

  @Text({ ...BODY_HTML, optional: true }) bodyHtml?: string;
  @Text({ ...SUBJECT, description: 'If omitted, the subject does not change. Null clears it.' }) subject?:
    string | null;

  @Json({
    ...BODY_AST,
    description: 'Block document of the visual editor. Requires body_html.',
  })
  bodyAst?: JsonObject | null;

  @Flag({ optional: true }) isActive?: boolean;

  @OneOf(TEMPLATE_LANGUAGES, { ...LANGUAGE, description: 'nlt, jinja2 or null.' })
  templateLanguage?: TemplateLanguage | null;

  // If null meant "any version", the update could overwrite someone's work.
  @Integer({
    optional: true,
    description: 'The version you last read. Returns a conflict if another version is current.',
    example: 1,
  })
  expectedVersion?: number;

  @Text({ ...SUMMARY, description: 'Saved with the version that is replaced.', example: 'New greeting' })
  changeSummary?: string | null;
}

@Input({ rest: 'CreateTemplateVersionBody', graphql: 'TemplateVersionInput' }, { mayBeAbsent: true })
export class TemplateVersionInput {
  @Text({ ...SUMMARY, example: 'Before the new greeting' }) changeSummary?: string | null;

  @Json({
    optional: true,
    nullable: true,
    check: documentProblem,
    description: `Any JSON object, for example editor state; at most ${MAX_DOCUMENT_BYTES} bytes.`,
    example: { zoom: 1 },
  })
  documentJson?: JsonObject | null;
}

/** Reads a new template that did not come through REST or GraphQL: from a seed file, with the field names of REST. */
export function readTemplate(value: unknown): NewTemplate {
  return readInput(CreateTemplateInput, value, 'body');
}

/**
 * The requested update; section 4.3: a document of the visual editor requires the HTML made from it.
 * @param slug of the template; the body of REST may repeat it, but not change it.
 * @throws DomainError invalid_field for another slug; validation_error for a document without HTML.
 */
export function templateUpdateOf(
  input: UpdateTemplateInput,
  slug: string,
  face: InputSource,
): { readonly update: TemplateUpdate; readonly note: ChangeNote } {
  const { slug: repeated, expectedVersion, changeSummary, ...update } = input;
  if (repeated !== undefined && repeated !== slug)
    throw invalidFields([
      { field: 'slug', message: 'cannot be changed: flows refer to the template by its slug' },
    ]);
  if (update.bodyAst && update.bodyHtml === undefined) {
    const field = spelled(face, 'bodyHtml');
    const message = `is required when ${spelled(face, 'bodyAst')} is given`;
    throw new DomainError('validation_error', `${field}: ${message}`, { errors: [{ field, message }] });
  }
  return { update, note: { expectedVersion, changeSummary } };
}

export function versionNoteOf({ changeSummary, documentJson }: TemplateVersionInput): VersionNote {
  return { changeSummary: changeSummary ?? null, documentJson: documentJson ?? null };
}

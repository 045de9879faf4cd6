/** The bounds of a template's fields, sections 2.7 and 8.3, whoever saves it. */
import type { FieldError } from '../../../kernel/domain-error.js';
import { depthOf, isStorableJson, isStorableText } from '../../../kernel/json.js';
import type { NewTemplate } from './template.js';

export const LONGEST_NAME = 255;
export const LONGEST_SUBJECT = 255;
/** A slug is part of an index, whose rows are bounded. */
export const LONGEST_SLUG = 255;
/** 2 MB, in bytes of UTF-8. */
export const LARGEST_BODY = 2_097_152;
const DEEPEST_AST = 100;

export const SLUG = /^[a-z0-9-]+$/;
const NOT_STORABLE = 'must not hold NUL or half characters';

/** Every field that is outside of its bounds. */
export function templateErrors(template: NewTemplate): FieldError[] {
  const { name, slug, bodyHtml, subject, bodyAst } = template;
  return [
    ...problem('name', nameProblem(name)),
    ...problem('slug', slugProblem(slug)),
    ...problem('body_html', bodyProblem(bodyHtml)),
    ...problem('subject', typeof subject === 'string' ? subjectProblem(subject) : undefined),
    ...problem('body_ast', bodyAst ? astProblem(bodyAst) : undefined),
  ];
}

function problem(field: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }];
}

function nameProblem(name: string): string | undefined {
  if (name.length < 1 || name.length > LONGEST_NAME) return `must be 1 to ${LONGEST_NAME} characters long`;
  return isStorableText(name) ? undefined : NOT_STORABLE;
}

function slugProblem(slug: string): string | undefined {
  if (slug.length > LONGEST_SLUG) return `must be at most ${LONGEST_SLUG} characters long`;
  return SLUG.test(slug) ? undefined : 'must consist of lowercase letters, digits and hyphens';
}

function bodyProblem(body: string): string | undefined {
  if (body === '') return 'must not be empty';
  if (Buffer.byteLength(body) > LARGEST_BODY) return `must be at most ${LARGEST_BODY} bytes of UTF-8 (2 MB)`;
  return isStorableText(body) ? undefined : NOT_STORABLE;
}

function subjectProblem(subject: string): string | undefined {
  if (subject.length > LONGEST_SUBJECT) return `must be at most ${LONGEST_SUBJECT} characters long`;
  return isStorableText(subject) ? undefined : NOT_STORABLE;
}

function astProblem(ast: object): string | undefined {
  if (depthOf(ast, DEEPEST_AST) > DEEPEST_AST) return `must not be nested deeper than ${DEEPEST_AST}`;
  return isStorableJson(JSON.stringify(ast)) ? undefined : NOT_STORABLE;
}

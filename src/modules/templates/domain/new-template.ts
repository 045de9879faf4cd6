/** A new template, and the data that is derived from its content on every save. Sections 2.7 and 4.3. */
import { deriveText, findProblems, statusOf, toNlt } from '../../../language/language.js';
import type { NewTemplate, Template } from './template.js';

export type Content = Pick<Template, 'subject' | 'bodyHtml' | 'templateLanguage'>;

/** Data derived from the content on save. */
export type DerivedContent = Pick<Template, 'bodyText' | 'validationStatus' | 'validationErrors'>;

/** The content of a new template. */
export function contentOf(input: NewTemplate): Content {
  return {
    subject: input.subject ?? null,
    bodyHtml: input.bodyHtml,
    templateLanguage: input.templateLanguage ?? null,
  };
}

/**
 * The first version of a template, with its validation findings.
 * @param derived the result of deriveContent for its content, which may come from another thread.
 */
export function newTemplate(
  input: NewTemplate,
  id: string,
  now: Date,
  derived: DerivedContent = deriveContent(contentOf(input)),
): Template {
  return {
    ...contentOf(input),
    ...derived,
    id,
    name: input.name,
    slug: input.slug,
    bodyAst: input.bodyAst ?? null,
    topic: null,
    isActive: input.isActive ?? true,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** The plain text of a content, always in NLT: the replacement of Jinja2 must mean the same in HTML and in text. */
export function textOf({ bodyHtml, templateLanguage }: Content): string {
  return deriveText(toNlt(bodyHtml, templateLanguage), templateLanguage);
}

/** Derives the data from a content; expensive if the content is large. */
export function deriveContent(content: Content): DerivedContent {
  const findings = findProblems(content);
  return {
    bodyText: textOf(content),
    validationStatus: statusOf(findings),
    validationErrors: findings,
  };
}

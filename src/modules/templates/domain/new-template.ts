/** A template as it is first saved, and what every saved state has made from its content. Sections 2.7 and 4.3. */
import { deriveText, findProblems, statusOf, toNlt } from '../../../language/language.js';
import type { NewTemplate, Template } from './template.js';

export type Content = Pick<Template, 'subject' | 'bodyHtml' | 'templateLanguage'>;

/** What is made from a content when it is saved. */
export type Derived = Pick<Template, 'bodyText' | 'validationStatus' | 'validationErrors'>;

/** What a new template holds. */
export function contentOf(input: NewTemplate): Content {
  return {
    subject: input.subject ?? null,
    bodyHtml: input.bodyHtml,
    templateLanguage: input.templateLanguage ?? null,
  };
}

/**
 * The first version of a template, with what validation finds in it.
 * @param derived what derivedOf makes of its content, which may have been made elsewhere.
 */
export function newTemplate(
  input: NewTemplate,
  id: string,
  now: Date,
  derived: Derived = derivedOf(contentOf(input)),
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

/** The plain text of a content, always in NLT: what stands in for Jinja2 must mean the same in HTML and in text. */
export function textOf({ bodyHtml, templateLanguage }: Content): string {
  return deriveText(toNlt(bodyHtml, templateLanguage), templateLanguage);
}

/** What is made from a content; dear when that is large. */
export function derivedOf(content: Content): Derived {
  const findings = findProblems(content);
  return {
    bodyText: textOf(content),
    validationStatus: statusOf(findings),
    validationErrors: findings,
  };
}

/** A template as it is first saved, and what every saved state has made from its content. Sections 2.7 and 4.3. */
import { deriveText, findProblems, statusOf, toNlt } from '../../../language/language.js';
import type { NewTemplate, Template } from './template.js';

type Content = Pick<Template, 'subject' | 'bodyHtml' | 'templateLanguage'>;

/** The first version of a template, with what validation finds in it. */
export function newTemplate(input: NewTemplate, id: string, now: Date): Template {
  const content = {
    subject: input.subject ?? null,
    bodyHtml: input.bodyHtml,
    templateLanguage: input.templateLanguage ?? null,
  };
  return {
    ...content,
    id,
    name: input.name,
    slug: input.slug,
    bodyText: textOf(content),
    bodyAst: input.bodyAst ?? null,
    isActive: input.isActive ?? true,
    version: 1,
    ...validationOf(content),
    createdAt: now,
    updatedAt: now,
  };
}

/** The plain text of a content, always in NLT: what stands in for Jinja2 must mean the same in HTML and in text. */
export function textOf({ bodyHtml, templateLanguage }: Content): string {
  return deriveText(toNlt(bodyHtml, templateLanguage), templateLanguage);
}

/** What validation finds in a content. */
export function validationOf(content: Content): Pick<Template, 'validationStatus' | 'validationErrors'> {
  const findings = findProblems(content);
  return { validationStatus: statusOf(findings), validationErrors: findings };
}

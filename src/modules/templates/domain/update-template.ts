/**
 * Computes the template after an update or a restore, sections 2.7 and 4.3. The data derived from its content are those
 * of the former content: `changedContent` tells whether they have to be derived again.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import type { Content } from './new-template.js';
import type { TemplateVersion } from './template-version.js';
import type { Template, TemplateUpdate } from './template.js';

/** The content that a restore brings back; name, subject and whether the template is active do not change. */
export type RestorableContent = Pick<TemplateVersion, 'bodyHtml' | 'bodyAst' | 'templateLanguage'>;

/** The next version of a template, even for an empty update. */
export function updateTemplate(template: Template, update: TemplateUpdate, now: Date): Template {
  return next(template, { ...template, ...presentFields(update) }, now);
}

/** The next version of a template, with the content of an earlier one. */
export function restoreTemplate(
  template: Template,
  { bodyHtml, bodyAst, templateLanguage }: RestorableContent,
  now: Date,
): Template {
  return next(template, { ...template, bodyHtml, bodyAst, templateLanguage }, now);
}

/** The content after a change, whose data have to be derived; undefined if it is the same as before. */
export function changedContent(
  before: Template,
  { subject, bodyHtml, templateLanguage }: Template,
): Content | undefined {
  const content = { subject, bodyHtml, templateLanguage };
  return sameContent(before, content) ? undefined : content;
}

export function sameContent(one: Content, other: Content): boolean {
  return (
    one.subject === other.subject &&
    one.bodyHtml === other.bodyHtml &&
    one.templateLanguage === other.templateLanguage
  );
}

/**
 * @throws DomainError conflict with `current_version` if the template is not at the expected version.
 */
export function assertVersion({ version }: Template, expected: number | undefined): void {
  if (expected === undefined || expected === version) return;
  throw new DomainError(
    'conflict',
    `The template is at version ${version}, not ${expected}: it was changed in the meantime. Read it again, ` +
      'then change it.',
    { current_version: version },
  );
}

function next(before: Template, after: Template, now: Date): Template {
  return { ...after, version: before.version + 1, updatedAt: now };
}

/** The fields present in the update. */
function presentFields({
  name,
  subject,
  bodyHtml,
  bodyAst,
  templateLanguage,
  isActive,
}: TemplateUpdate): Partial<Template> {
  return {
    ...(name !== undefined && { name }),
    ...(subject !== undefined && { subject }),
    ...(bodyHtml !== undefined && { bodyHtml }),
    ...(bodyAst !== undefined && { bodyAst }),
    ...(templateLanguage !== undefined && { templateLanguage }),
    ...(isActive !== undefined && { isActive }),
  };
}

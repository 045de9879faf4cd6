/** Computes the template after an update or a restore, sections 2.7 and 4.3. */
import { DomainError } from '../../../kernel/domain-error.js';
import { type Content, type DerivedContent, deriveContent } from './new-template.js';
import type { TemplateVersion } from './template-version.js';
import type { Template, TemplateUpdate } from './template.js';

/** The content that a restore brings back; name, subject and whether the template is active do not change. */
export type RestorableContent = Pick<TemplateVersion, 'bodyHtml' | 'bodyAst' | 'templateLanguage'>;

/** Derives data from the new content, or returns the prepared result. */
export type Derive = (content: Content) => DerivedContent;

/** The next version of a template, even for an empty update. */
export function updateTemplate(
  template: Template,
  update: TemplateUpdate,
  now: Date,
  derive: Derive = deriveContent,
): Template {
  return next(template, { ...template, ...presentFields(update) }, now, derive);
}

/** The next version of a template, with the content of an earlier one. */
export function restoreTemplate(
  template: Template,
  version: RestorableContent,
  now: Date,
  derive: Derive = deriveContent,
): Template {
  const { bodyHtml, bodyAst, templateLanguage } = version;
  return next(template, { ...template, bodyHtml, bodyAst, templateLanguage }, now, derive);
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

function next(before: Template, after: Template, now: Date, derive: Derive): Template {
  const isSame =
    before.subject === after.subject &&
    before.bodyHtml === after.bodyHtml &&
    before.templateLanguage === after.templateLanguage;
  return {
    ...after,
    ...(isSame ? {} : derive(after)),
    version: before.version + 1,
    updatedAt: now,
  };
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

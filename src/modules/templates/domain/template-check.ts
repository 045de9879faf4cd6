/**
 * The response of validate, section 4.3: the errors of unsaved content, and its preview. The findings are those that
 * saving would give; with a sample, also the fields that the sample lacks.
 */
import {
  compileTemplate,
  findingsIn,
  hasErrors,
  parseSource,
  type RenderContext,
  type RenderResult,
  type TemplateFinding,
  type TemplateLanguage,
} from '../../../language/language.js';
import { contextOf, hasSample, isOverWorkLimit, missingRequired, type InlineContent } from './preview.js';

export interface TemplateCheck {
  /** Whether no issue is an error. */
  readonly valid: boolean;
  readonly issues: readonly TemplateFinding[];
  /** Null if it is not given, cannot be rendered, or the message is suppressed. */
  readonly subject: string | null;
  readonly html: string | null;
  /** Why a message with this data would not be sent; null if it would be. */
  readonly suppressedReason: string | null;
  /** Whether rendering would exceed its work limit. */
  readonly exceedsWorkLimit: boolean;
}

/**
 * Validates and renders content like a template with its pinned language, or without one.
 * @param work limit for rendering each part, as for CompiledTemplate.render.
 */
export function checkTemplate(
  { subject, bodyHtml, templateLanguage: language, sample }: InlineContent,
  now: Date,
  work?: number,
): TemplateCheck {
  const context = contextOf(sample, now);
  const lintContext = hasSample(sample) ? context : undefined;
  const parts = [
    checkPart('subject', subject, language, context, lintContext, work),
    checkPart('body_html', bodyHtml, language, context, lintContext, work),
  ] as const;
  const issues = parts.flatMap((part) => part.issues);
  const suppressed = parts.map(({ result }) => result).find((result) => result?.kind === 'suppressed');
  const [subjectText, html] = parts.map(({ result }) =>
    result?.kind === 'rendered' && !suppressed ? result.text : null,
  );
  return {
    valid: !hasErrors(issues),
    issues,
    subject: subjectText ?? null,
    html: html ?? null,
    suppressedReason: suppressed ? missingRequired(suppressed.field) : null,
    exceedsWorkLimit: parts.some(({ result }) => isOverWorkLimit(result)),
  };
}

interface CheckedPart {
  readonly issues: readonly TemplateFinding[];
  readonly result: RenderResult | null;
}

function checkPart(
  field: TemplateFinding['field'],
  source: string | null,
  language: TemplateLanguage | null,
  context: RenderContext,
  sample: RenderContext | undefined,
  work: number | undefined,
): CheckedPart {
  if (source === null) return { issues: [], result: null };
  const parsed = parseSource(source, language);
  const issues = findingsIn(field, source, parsed, sample);
  const result = compileTemplate(parsed.tree, field === 'subject' ? 'subject' : 'html').render(context, work);
  // Content that parses may still be too expensive to render, and then cannot be sent.
  if (result.kind === 'failed' && result.error.code !== 'syntax_error')
    issues.push({
      severity: 'error',
      field,
      message: result.error.message,
      blockText: '',
      line: 1,
      column: 1,
    });
  return { issues, result };
}

/**
 * The answer of validate, section 4.3: what is wrong with content that nobody has saved yet, and what it would look
 * like. The findings are those that saving would give, and with a sample also what the sample lacks.
 */
import {
  compileTemplate,
  findingsIn,
  hasErrors,
  readSource,
  type RenderContext,
  type RenderResult,
  type TemplateFinding,
  type TemplateLanguage,
} from '../../../language/language.js';
import { contextOf, hasSample, isOverworked, missingRequired, type InlineContent } from './preview.js';

export interface TemplateCheck {
  /** Whether no issue is an error. */
  readonly valid: boolean;
  readonly issues: readonly TemplateFinding[];
  /** Null when it is not given, cannot be rendered, or the message is suppressed. */
  readonly subject: string | null;
  readonly html: string | null;
  /** Why a message with this data would not be sent; null when it would. */
  readonly suppressedReason: string | null;
  /** Whether rendering it would take more work than it was given. */
  readonly overworked: boolean;
}

/**
 * Checks content as a template of its pin, or without one, would be checked and rendered.
 * @param work how much rendering a part may cost, as CompiledTemplate.render takes it.
 */
export function checkTemplate(
  { subject, bodyHtml, templateLanguage: language, sample }: InlineContent,
  now: Date,
  work?: number,
): TemplateCheck {
  const context = contextOf(sample, now);
  const judgedWith = hasSample(sample) ? context : undefined;
  const parts = [
    partOf('subject', subject, language, context, judgedWith, work),
    partOf('body_html', bodyHtml, language, context, judgedWith, work),
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
    overworked: parts.some(({ result }) => isOverworked(result)),
  };
}

interface CheckedPart {
  readonly issues: readonly TemplateFinding[];
  readonly result: RenderResult | null;
}

function partOf(
  field: TemplateFinding['field'],
  source: string | null,
  language: TemplateLanguage | null,
  context: RenderContext,
  sample: RenderContext | undefined,
  work: number | undefined,
): CheckedPart {
  if (source === null) return { issues: [], result: null };
  const reading = readSource(source, language);
  const issues = findingsIn(field, source, reading, sample);
  const result = compileTemplate(reading.tree, field === 'subject' ? 'subject' : 'html').render(
    context,
    work,
  );
  // What parses may still be too much to render: then the message could not be sent either.
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

/**
 * The findings of validation about a template's content, sections 2.7 and 4.3. Validation never prevents saving a
 * template, but one with errors is not sent, and no flow that sends it can be activated.
 */
import type { RenderContext } from '../nlt/render-context.js';
import { SourceLines } from '../nlt/source-lines.js';
import { validateTemplate } from '../nlt/validator.js';
import type { TemplateLanguage } from '../template-language.js';
import { findPlaceholders, type Placeholder } from './placeholders.js';
import { parseSource, type ParsedSource, type SourceWarning } from './source-parser.js';

export const VALIDATION_STATUSES = ['valid', 'has_warnings', 'has_errors'] as const;
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/** One finding of validation. `blockText` is the expression as written, `line` and `column` count from 1. */
export interface TemplateFinding {
  readonly severity: 'error' | 'warning';
  readonly field: 'subject' | 'body_html';
  readonly message: string;
  readonly blockText: string;
  readonly line: number;
  readonly column: number;
}

/** The author's input: the sources of a template, and the language that it is pinned to. */
export interface TemplateSources {
  readonly subject: string | null;
  readonly bodyHtml: string;
  readonly templateLanguage: TemplateLanguage | null;
}

type Field = TemplateFinding['field'];

const FIELD_NAMES: Readonly<Record<Field, string>> = { subject: 'subject', body_html: 'body' };

/** Returns all findings, those of the subject first, then in the order of the source. */
export function findProblems({ subject, bodyHtml, templateLanguage }: TemplateSources): TemplateFinding[] {
  const parse = (source: string): ParsedSource => parseSource(source, templateLanguage);
  return [
    ...(subject === null ? [] : findingsIn('subject', subject, parse(subject))),
    ...findingsIn('body_html', bodyHtml, parse(bodyHtml)),
  ];
}

/**
 * Returns the findings in one field, in the order of the source.
 * @param parsed the result of `readSource` for the source.
 * @param sample data to render with; a value that it lacks is a warning. Without a sample, only the source is checked.
 */
export function findingsIn(
  field: Field,
  source: string,
  parsed: ParsedSource,
  sample?: RenderContext,
): TemplateFinding[] {
  const lines = new SourceLines(source);
  const findings = [
    ...validateTemplate(parsed.tree, sample).map((found): TemplateFinding => ({ ...found, field })),
    ...parsed.warnings.map((warning) => warningOf(field, warning, lines)),
    ...findPlaceholders(source).map((placeholder) => placeholderError(field, placeholder, lines)),
  ];
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The status that results from the findings. */
export function statusOf(findings: readonly TemplateFinding[]): ValidationStatus {
  if (hasErrors(findings)) return 'has_errors';
  return findings.length > 0 ? 'has_warnings' : 'valid';
}

export function hasErrors(findings: readonly TemplateFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function warningOf(
  field: Field,
  { message, blockText, offset }: SourceWarning,
  lines: SourceLines,
): TemplateFinding {
  const { line, column } = lines.positionOf(offset);
  return { severity: 'warning', field, message, blockText, line, column };
}

function placeholderError(
  field: Field,
  { token, kind, offset }: Placeholder,
  lines: SourceLines,
): TemplateFinding {
  const { line, column } = lines.positionOf(offset);
  const location = `in the ${FIELD_NAMES[field]}`;
  const message =
    kind === 'pair'
      ? `A placeholder remains ${location}: replace it with text or an expression.`
      : `An unpaired guillemet remains ${location}: remove it or complete it.`;
  return { severity: 'error', field, message, blockText: token, line, column };
}

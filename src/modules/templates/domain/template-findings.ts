/**
 * What validation says of a template's content, sections 2.7 and 4.3. It never keeps a template from being saved,
 * but one with errors is not sent, and no flow that sends it can be activated.
 */
import { parseTemplate } from './nlt/parser.js';
import { SourceLines } from './nlt/source-lines.js';
import { validateTemplate } from './nlt/validator.js';
import type { Template, TemplateFinding, ValidationStatus } from './template.js';

type Content = Pick<Template, 'subject' | 'bodyHtml' | 'templateLanguage'>;
type Field = TemplateFinding['field'];

/** Blocks of Jinja2; double braces around NLT are a slip that validation of NLT reports. */
const JINJA_BLOCK = /\{\{(?!\s*(?:the|if|for each|end if|end for)\s)[^{}]*\}\}|\{%[^{}]*%\}/i;
const LONGEST_QUOTE = 200;

/** Every finding, those of the subject first, then in the order of the source. */
export function findProblems({ subject, bodyHtml, templateLanguage }: Content): TemplateFinding[] {
  const pinned = templateLanguage === 'jinja2' ? [finding('body_html', PINNED, 1, 1, '')] : [];
  return [
    ...pinned,
    ...(subject === null ? [] : problemsIn('subject', subject, templateLanguage)),
    ...problemsIn('body_html', bodyHtml, templateLanguage),
  ];
}

/** The status that findings add up to. */
export function statusOf(findings: readonly TemplateFinding[]): ValidationStatus {
  if (hasErrors(findings)) return 'has_errors';
  return findings.length > 0 ? 'has_warnings' : 'valid';
}

export function hasErrors(findings: readonly TemplateFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

const PINNED = 'The template is pinned to jinja2, which this release does not render.';
const JINJA =
  'This is Jinja2, which this release does not render. Write it as NLT, or pin the template to nlt to send it as text.';

function problemsIn(field: Field, source: string, language: Content['templateLanguage']): TemplateFinding[] {
  const findings = validateTemplate(parseTemplate(source)).map((found): TemplateFinding => ({
    ...found,
    field,
  }));
  if (language !== null) return findings;
  const jinja = JINJA_BLOCK.exec(source);
  if (!jinja) return findings;
  const { line, column } = new SourceLines(source).positionOf(jinja.index);
  return [finding(field, JINJA, line, column, jinja[0].slice(0, LONGEST_QUOTE)), ...findings];
}

function finding(
  field: Field,
  message: string,
  line: number,
  column: number,
  block: string,
): TemplateFinding {
  return { severity: 'error', field, message, block_text: block, line, column };
}

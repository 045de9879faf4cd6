/** A version of a template made ready for delivery, sections 2.3 and 2.7. */
import { compileTemplate, type CompiledTemplate } from './nlt/compiler.js';
import { parseTemplate } from './nlt/parser.js';
import { eventNamesOf } from './nlt/template-walk.js';
import { findProblems, hasErrors } from './template-findings.js';
import type { Template } from './template.js';

export interface CompiledTemplateVersion {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly isActive: boolean;
  /** Whether validation finds errors; such a template must not be sent. */
  readonly hasErrors: boolean;
  /** Names of the events, beside the trigger event, whose latest one the template reads; as the author wrote them. */
  readonly eventNames: readonly string[];
  /** The stored fallback subject; null when there is none. */
  readonly subject: CompiledTemplate | null;
  readonly html: CompiledTemplate;
  readonly text: CompiledTemplate;
}

/** Reads and compiles a template once, for any number of messages. */
export function compileVersion(template: Template): CompiledTemplateVersion {
  const { id, slug, version, isActive } = template;
  const subject = template.subject === null ? null : parseTemplate(template.subject);
  const html = parseTemplate(template.bodyHtml);
  const text = parseTemplate(template.bodyText);
  const names = [subject, html, text].flatMap((part) => (part ? eventNamesOf(part) : []));
  return {
    id,
    slug,
    version,
    isActive,
    hasErrors: hasErrors(findProblems(template)),
    eventNames: [...new Set(names)],
    subject: subject && compileTemplate(subject, 'subject'),
    html: compileTemplate(html, 'html'),
    text: compileTemplate(text, 'text'),
  };
}

/** The compiled content of a template, sections 2.3, 2.7 and 4.3. */
import {
  type CompiledTemplate,
  compileTemplate,
  eventKeysOf,
  findingsIn,
  hasErrors,
  containsPlaceholder,
  type NameKey,
  parseSource,
} from '../../../language/language.js';
import type { Template } from './template.js';

/** The compiled parts of a message, which can be rendered any number of times. */
export interface CompiledParts {
  /** The stored fallback subject; null if there is none. */
  readonly subject: CompiledTemplate | null;
  readonly html: CompiledTemplate;
  readonly text: CompiledTemplate;
}

/** The properties of the content on which delivery bases its decisions. */
export interface ContentProperties {
  /** Whether validation finds errors; such a template must not be sent. */
  readonly hasErrors: boolean;
  /**
   * Whether subject, body or text contain a guillemet, literal or encoded; such a template must not be sent either.
   */
  readonly unresolvedPlaceholder: boolean;
  /** The events, other than the trigger event, whose latest occurrence the template reads. */
  readonly eventKeys: readonly NameKey[];
  /** Upper bound of the work to parse and compile it, in the unit of CompiledTemplate. */
  readonly compileWork: number;
}

export interface CompiledContent extends CompiledParts, ContentProperties {}

/** Parses and compiles the content of a message, once for any number of messages. */
export function compileContent({
  subject,
  bodyHtml,
  bodyText,
  templateLanguage,
}: Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>): CompiledContent {
  const parsedSubject = subject === null ? null : parseSource(subject, templateLanguage);
  const html = parseSource(bodyHtml, templateLanguage);
  // The text was derived from the converted body, so in a template pinned to Jinja2 it is NLT.
  const text = parseSource(bodyText, templateLanguage === 'jinja2' ? null : templateLanguage);
  const findings = [
    ...(subject === null || parsedSubject === null ? [] : findingsIn('subject', subject, parsedSubject)),
    ...findingsIn('body_html', bodyHtml, html),
  ];
  const eventKeys = [parsedSubject, html, text].flatMap((parsed) => (parsed ? eventKeysOf(parsed.tree) : []));
  const parts = {
    subject: parsedSubject && compileTemplate(parsedSubject.tree, 'subject'),
    html: compileTemplate(html.tree, 'html'),
    text: compileTemplate(text.tree, 'text'),
  };
  return {
    hasErrors: hasErrors(findings),
    unresolvedPlaceholder: [subject ?? '', bodyHtml, bodyText].some(containsPlaceholder),
    eventKeys,
    compileWork: (parts.subject?.compileWork ?? 0) + parts.html.compileWork + parts.text.compileWork,
    ...parts,
  };
}

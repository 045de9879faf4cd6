/** The content of a template made ready for rendering, sections 2.3, 2.7 and 4.3. */
import {
  type CompiledTemplate,
  compileTemplate,
  eventKeysOf,
  findingsIn,
  hasErrors,
  holdsPlaceholder,
  type NameKey,
  readSource,
} from '../../../language/language.js';
import type { Template } from './template.js';

/** The parts of a message, ready to be rendered any number of times. */
export interface CompiledParts {
  /** The stored fallback subject; null when there is none. */
  readonly subject: CompiledTemplate | null;
  readonly html: CompiledTemplate;
  readonly text: CompiledTemplate;
}

/** What delivery decides with. */
export interface ContentFacts {
  /** Whether validation finds errors; such a template must not be sent. */
  readonly hasErrors: boolean;
  /** Whether subject, body or text hold a guillemet, literal or encoded; such a template must not be sent either. */
  readonly unresolvedPlaceholder: boolean;
  /** The events, beside the trigger event, whose latest one the template reads. */
  readonly eventKeys: readonly NameKey[];
  /** What reading and compiling it costs at worst, as CompiledTemplate counts. */
  readonly compileWork: number;
}

export interface CompiledContent extends CompiledParts, ContentFacts {}

/** Reads and compiles what a message is made of, once for any number of messages. */
export function compileContent({
  subject,
  bodyHtml,
  bodyText,
  templateLanguage,
}: Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>): CompiledContent {
  const subjectReading = subject === null ? null : readSource(subject, templateLanguage);
  const html = readSource(bodyHtml, templateLanguage);
  // The text was made from the body after its conversion, so in a template pinned to Jinja2 it is NLT.
  const text = readSource(bodyText, templateLanguage === 'jinja2' ? null : templateLanguage);
  const findings = [
    ...(subject === null || subjectReading === null ? [] : findingsIn('subject', subject, subjectReading)),
    ...findingsIn('body_html', bodyHtml, html),
  ];
  const eventKeys = [subjectReading, html, text].flatMap((reading) =>
    reading ? eventKeysOf(reading.tree) : [],
  );
  const parts = {
    subject: subjectReading && compileTemplate(subjectReading.tree, 'subject'),
    html: compileTemplate(html.tree, 'html'),
    text: compileTemplate(text.tree, 'text'),
  };
  return {
    hasErrors: hasErrors(findings),
    unresolvedPlaceholder: [subject ?? '', bodyHtml, bodyText].some(holdsPlaceholder),
    eventKeys,
    compileWork: (parts.subject?.compileWork ?? 0) + parts.html.compileWork + parts.text.compileWork,
    ...parts,
  };
}

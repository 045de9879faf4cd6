/**
 * What is found in a template as it is written, for preflight (section 4.3) and for quality analysis (4.7); and what is
 * found in any email, a rendered one among them.
 *
 * Bounds: a template that is nested too deep or has too many tags gets the checks that need no structure and is told so.
 */
import {
  findingsIn,
  readSource,
  SourceLines,
  type SourceReading,
  type TemplateFinding,
} from '../../../../language/language.js';
import type { Template } from '../../../templates/domain/template.js';
import { blankExpressions } from '../email/blanked-source.js';
import { checkBoxes } from './boxes.js';
import { checkCharacters } from './characters.js';
import { checkDarkMode } from './dark-mode.js';
import { checkDeclarations } from './declarations.js';
import { checkDocumentFrame } from './document-frame.js';
import { checkElements } from './elements.js';
import { checkFonts } from './fonts.js';
import { checkImageAddresses } from './image-addresses.js';
import { checkImageShapes } from './image-shape.js';
import { checkImageWords } from './image-words.js';
import { checkLinkAddresses } from './link-addresses.js';
import { checkLinkWords } from './link-words.js';
import { checkNesting } from './nesting.js';
import { checkOutlook } from './outlook.js';
import { checkPreheaderBeside, checkPreheaderOf } from './preheader.js';
import { checkReading } from './reading.js';
import { checkStyleElements } from './style-elements.js';
import { checkTables } from './tables.js';
import { checkClientSupport } from '../support/client-support.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkImages } from './images.js';
import { checkGuillemets, checkLeftOverText } from './left-over-text.js';
import { checkLegibility } from './legibility.js';
import { checkLinks } from './links.js';
import { checkMarkup } from './markup.js';
import { checkMessageText, preheaderOf } from './message-text.js';
import { readEmail, type ParsedEmail } from '../email/parsed-email.js';
import { checkSender, type SenderFacts } from './sender.js';
import { checkStructure } from './structure.js';
import { checkSubject } from './subject.js';
import { trackingFindings } from '../tracking/tracking-findings.js';

/** `bodyText` is the plain-text version that goes out. */
export type SourceContent = Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>;

/** A template that was examined as it is written. */
export interface ExaminedSource {
  /** Null when its structure is too much to be examined. */
  readonly email: ParsedEmail | null;
  /** What is wrong with it and its sender, in no order. */
  readonly findings: readonly RuleFinding[];
}

/** What is wrong with a template and its sender, in no order; never throws. */
export function sourceFindings(content: SourceContent, sender: SenderFacts): readonly RuleFinding[] {
  return examineSource(content, sender).findings;
}

/** The same, with the body as it was parsed. */
export function examineSource(content: SourceContent, sender: SenderFacts): ExaminedSource {
  const { subject, bodyHtml, bodyText, templateLanguage } = content;
  const subjectReading = subject === null ? null : readSource(subject, templateLanguage);
  const blankedSubject = subjectReading && blankExpressions(subject ?? '', subjectReading.tree.nodes);
  const bodyReading = readSource(bodyHtml, templateLanguage);
  const { email, findings } = readEmail(bodyHtml, bodyReading.tree.nodes);
  const found = [
    ...(subject !== null && subjectReading ? checkTemplate('subject', subject, subjectReading) : []),
    ...checkTemplate('body_html', bodyHtml, bodyReading),
    ...checkGuillemets(subject, bodyHtml),
    ...checkSubject(blankedSubject),
    ...(email ? checkPreheaderBeside(blankedSubject, preheaderOf(email)) : []),
    ...findings,
    ...(email ? checkEmail(email, bodyText) : []),
    ...checkSender(sender),
  ];
  return { email, findings: withoutRepeats(found, bodyHtml) };
}

/**
 * What is wrong with an email, written or rendered.
 * @param bodyText its plain-text version.
 */
export function checkEmail(email: ParsedEmail, bodyText: string): RuleFinding[] {
  return [
    ...checkMarkup(email),
    ...checkLeftOverText(email),
    ...checkMessageText(email, bodyText),
    ...checkLinks(email),
    ...checkImages(email),
    ...checkClientSupport(email),
    ...checkStructure(email),
    ...checkLegibility(email),
    ...checkDocumentFrame(email),
    ...checkElements(email),
    ...checkOutlook(email),
    ...checkCharacters(email),
    ...checkNesting(email),
    ...checkTables(email),
    ...checkStyleElements(email),
    ...checkDeclarations(email),
    ...checkFonts(email),
    ...checkBoxes(email),
    ...checkImageShapes(email),
    ...checkImageAddresses(email),
    ...checkImageWords(email),
    ...checkLinkAddresses(email),
    ...checkLinkWords(email),
    ...checkPreheaderOf(email),
    ...checkReading(email),
    ...checkDarkMode(email),
    ...trackingFindings(email),
  ];
}

/** What validation finds in a field; guillemets have a finding of their own. */
function checkTemplate(
  field: TemplateFinding['field'],
  source: string,
  reading: SourceReading,
): RuleFinding[] {
  return findingsIn(field, source, reading)
    .filter(({ blockText: block }) => !/^[«»]/.test(block))
    .map(({ severity, message, line, column, blockText }) => ({
      rule: severity === 'error' ? 'template_error' : 'template_warning',
      message: field === 'subject' ? `Subject: ${message}` : message,
      at: field === 'subject' ? null : { line, column },
      ...(blockText === '' ? {} : { target: blockText }),
    }));
}

/** Validation and the search for left-over text may both find an expression of another language: what weighs more stays. */
function withoutRepeats(findings: readonly RuleFinding[], bodyHtml: string): RuleFinding[] {
  const lines = new SourceLines(bodyHtml);
  const placeOf = ({ at }: RuleFinding): string => {
    const place = typeof at === 'number' ? lines.positionOf(at) : at;
    return place ? `${place.line}:${place.column}` : '';
  };
  const placesOf = (rule: RuleName): Set<string> => {
    const places = new Set(findings.filter((finding) => finding.rule === rule).map(placeOf));
    places.delete('');
    return places;
  };
  const errors = placesOf('template_error');
  const left = placesOf('foreign_merge_tag');
  return findings.filter((finding) => {
    if (finding.rule === 'foreign_merge_tag') return !errors.has(placeOf(finding));
    return finding.rule !== 'template_warning' || !left.has(placeOf(finding));
  });
}

/**
 * Finds faults in a template's source, for preflight (section 4.3) and for quality analysis (4.7), and in any email,
 * including a rendered one.
 *
 * Bounds: a template that is nested too deeply or has too many tags only gets the checks that need no structure, and a
 * finding that says so.
 */
import {
  findingsIn,
  parseSource,
  SourceLines,
  type ParsedSource,
  type TemplateFinding,
} from '../../../../language/language.js';
import type { Template } from '../../../templates/domain/template.js';
import { renderedPart, type RenderedPart } from '../analysis/rendered-parts.js';
import type { Rendering } from '../analysis/rendering.js';
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
import { checkAltTexts } from './alt-texts.js';
import { checkLinkAddresses } from './link-addresses.js';
import { checkLinkTexts } from './link-texts.js';
import { checkNesting } from './nesting.js';
import { checkOutlook } from './outlook.js';
import { checkPreheaderRepeatsSubject, checkPreheader } from './preheader.js';
import { checkReadability } from './readability.js';
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
import { checkSender, type SenderInputs } from './sender.js';
import { checkStructure } from './structure.js';
import { checkSubject } from './subject.js';
import { trackingFindings } from '../tracking/tracking-findings.js';

/** `bodyText` is the plain-text version that is sent. */
export type SourceContent = Pick<Template, 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'>;

/** A template whose source was checked. */
export interface AnalysedSource {
  /** Null if its structure exceeds the limits. */
  readonly email: ParsedEmail | null;
  /** The faults of the template and its sender, in no order. */
  readonly findings: readonly RuleFinding[];
}

/** The faults of a template and its sender, in no order; never throws. */
export function sourceFindings(content: SourceContent, sender: SenderInputs): readonly RuleFinding[] {
  return analyseSource(content, sender).findings;
}

/**
 * As `sourceFindings`, with the parsed body.
 * @param rendering null to check all of the source; otherwise only what was rendered of it is checked.
 */
export function analyseSource(
  content: SourceContent,
  sender: SenderInputs,
  rendering: Rendering | null = null,
): AnalysedSource {
  const { bodyHtml, templateLanguage } = content;
  const subject = content.subject === null ? null : subjectOf(content.subject, templateLanguage, rendering);
  const whole = parseSource(bodyHtml, templateLanguage);
  const body = rendering
    ? renderedPart(bodyHtml, whole, rendering.pieces)
    : { reading: whole, source: bodyHtml };
  const { email: parsed, findings } = readEmail(bodyHtml, body.reading.tree.nodes);
  const email = parsed && { ...parsed, source: body.source };
  const found = [
    ...subjectFindings(subject),
    ...checkTemplate('body_html', body.source, body.reading),
    ...checkGuillemets('body', body.source),
    ...(email ? checkPreheaderRepeatsSubject(subject?.blanked ?? null, preheaderOf(email)) : []),
    ...findings,
    ...(email ? checkEmail(email, rendering?.message.text ?? content.bodyText) : []),
    ...checkSender(sender),
  ];
  return { email, findings: withoutRepeats(found, bodyHtml) };
}

/** The faults of the source of a subject by itself. */
export function ownSubjectFindings(
  subject: string | null,
  language: SourceContent['templateLanguage'],
): RuleFinding[] {
  return subjectFindings(subject === null ? null : subjectOf(subject, language, null));
}

interface ReadSubject extends RenderedPart {
  /** Without its expressions. */
  readonly blanked: string;
}

function subjectOf(
  subject: string,
  language: SourceContent['templateLanguage'],
  rendering: Rendering | null,
): ReadSubject {
  const whole = parseSource(subject, language);
  const part = rendering
    ? renderedPart(subject, whole, rendering.subjectPieces)
    : { reading: whole, source: subject };
  return { ...part, blanked: blankExpressions(subject, part.reading.tree.nodes) };
}

function subjectFindings(subject: ReadSubject | null): RuleFinding[] {
  const found = subject
    ? [
        ...checkTemplate('subject', subject.source, subject.reading),
        ...checkGuillemets('subject', subject.source),
        ...checkSubject(subject.blanked),
      ]
    : checkSubject(null);
  return found.map((finding): RuleFinding => ({ ...finding, subject: 'examined' }));
}

/**
 * The faults of an email, written or rendered.
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
    ...checkAltTexts(email),
    ...checkLinkAddresses(email),
    ...checkLinkTexts(email),
    ...checkPreheader(email),
    ...checkReadability(email),
    ...checkDarkMode(email),
    ...trackingFindings(email),
  ];
}

/** The findings of validation in a field; guillemets have a separate finding. */
function checkTemplate(
  field: TemplateFinding['field'],
  source: string,
  reading: ParsedSource,
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

/**
 * Validation and the search for placeholder text may both find an expression of another language: the more severe
 * finding stays.
 */
function withoutRepeats(findings: readonly RuleFinding[], bodyHtml: string): RuleFinding[] {
  const lines = new SourceLines(bodyHtml);
  const positionOf = ({ at }: RuleFinding): string => {
    const position = typeof at === 'number' ? lines.positionOf(at) : at;
    return position ? `${position.line}:${position.column}` : '';
  };
  const positionsOf = (rule: RuleName): Set<string> => {
    const positions = new Set(findings.filter((finding) => finding.rule === rule).map(positionOf));
    positions.delete('');
    return positions;
  };
  const errors = positionsOf('template_error');
  const mergeTags = positionsOf('foreign_merge_tag');
  return findings.filter((finding) => {
    if (finding.rule === 'foreign_merge_tag') return !errors.has(positionOf(finding));
    return finding.rule !== 'template_warning' || !mergeTags.has(positionOf(finding));
  });
}

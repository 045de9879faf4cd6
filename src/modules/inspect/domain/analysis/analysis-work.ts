/**
 * The content check of a run (section 4.7): inspects the template's source and its rendering. A finding in both is
 * reported once, at its position in the stored body.
 *
 * Special cases:
 * - Of push and in-app messages, only the body is checked, and only for what breaks any text or executes code: email
 *   clients never show them, and their resources are not fetched.
 * - With a contact's data, only the rendered parts are checked. The contact's own values are checked like written text;
 *   events that are not given are made up.
 * - An error in the template also makes the rendering fail; it is reported once, as an error of the template.
 */
import type { SentAdditions } from '../../../delivery/domain/sent-additions.js';
import { sentBytes } from '../../../delivery/domain/sent-size.js';
import type { PreviewSample } from '../../../templates/domain/preview.js';
import type { Analysis, InspectedContent } from './analysis.js';
import { isAllowed } from '../findings/allowed-hosts.js';
import { boundedFindings } from '../findings/bounded-findings.js';
import { isBlank } from '../email/blank-text.js';
import { ElementPlaces } from '../email/element-places.js';
import type { RuleFinding } from '../findings/finding.js';
import { withFixes } from '../fixes/mechanical-fixes.js';
import type { InspectChannel } from '../runs/inspect-job.js';
import { joinedFindings, placedFindings, type PlacedFinding } from './joined-findings.js';
import { readRendered } from './rendered-email.js';
import { renderFor, type Rendering, type RenderingFailure } from './rendering.js';
import { resourcesOf, type FoundResources } from '../resources/resources.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkSize } from '../checks/message-size.js';
import type { SenderFacts } from '../checks/sender.js';
import { checkEmail, examineSource, ownSubjectFindings } from '../checks/source-findings.js';

export interface AnalysisWork {
  /** With the caller's subject, if given. */
  readonly content: InspectedContent;
  /** The caller's preheader; null if not given. */
  readonly preheader: string | null;
  readonly channel: InspectChannel;
  readonly sender: SenderFacts;
  /** Private hosts that the operator allows, as in INSPECT_ALLOW_HOSTS. */
  readonly allowedHosts: readonly string[];
  /** A contact's data; null for sample values. */
  readonly sample: PreviewSample | null;
  readonly now: Date;
  /** What delivery adds to the message; nothing if absent. */
  readonly additions?: SentAdditions;
}

/** The rules for any channel: what breaks a text or executes code. */
const OF_ANY_TEXT: ReadonlySet<RuleName> = new Set([
  'template_error',
  'template_warning',
  'placeholder',
  'foreign_merge_tag',
  'filler_text',
  'placeholder_text',
  'body_empty',
  'element_forbidden',
  'script_attribute',
  'link_dangerous',
]);

/** Findings of preflight about a workspace, which runs of a template do not repeat. */
const OF_PREFLIGHT_ALONE: ReadonlySet<RuleName> = new Set(['sender_shared_domain', 'not_live']);

/** Inspects a template; never throws. */
export function analyse(work: AnalysisWork): Analysis {
  const isEmail = work.channel === 'email';
  const content = isEmail ? work.content : { ...work.content, subject: null };
  const rendering = renderFor(content, work.sample, work.now);
  const hasPreheader = (work.preheader ?? '').trim() !== '';
  const hears = (finding: RuleFinding): boolean =>
    isEmail
      ? !OF_PREFLIGHT_ALONE.has(finding.rule) &&
        !(hasPreheader && finding.rule === 'preheader_missing') &&
        !isAllowed(finding, work.allowedHosts)
      : OF_ANY_TEXT.has(finding.rule);
  const { bodyHtml } = content;
  const isFailed = 'why' in rendering;
  const source = examineSource(content, work.sender, work.sample && !isFailed ? rendering : null);
  const elements = new ElementPlaces(source.email);
  const html = isFailed ? null : rendering.message.html;
  const additions = work.additions ?? null;
  const written = work.sample && html !== null ? html : bodyHtml;
  const told = [...source.findings, ...checkSize(written, html, additions)].filter(hears);
  const placed = placedFindings(told, bodyHtml, elements);
  const ofSource = withFixes(placed, source.email, elements, content.subject);
  const ofOwnSubject = isEmail ? templatesOwnSubject(work.content) : [];
  if (isFailed) {
    // If the message does not render for a contact, only the errors of the template are reported.
    const told = work.sample ? ofSource.filter(({ rule }) => rule === 'template_error') : ofSource;
    const all = [...told, ...failureFinding(rendering, ofSource), ...ofOwnSubject];
    const { findings, left } = boundedFindings(all);
    return {
      message: null,
      pieces: [],
      findings,
      resources: [],
      resourcesCut: false,
      findingsLeft: left,
      addedBytes: 0,
    };
  }
  const rendered = examined(rendering, isEmail);
  const findings = joinedFindings(
    ofSource,
    { ...rendered, findings: rendered.findings.filter(hears), pieces: rendering.pieces },
    bodyHtml,
    elements,
  );
  const empty = isEmail ? emptySubject(rendering, content, work.sample) : [];
  const others = empty.length > 0 ? findings.filter(({ rule }) => rule !== 'subject_missing') : findings;
  const { findings: bounded, left } = boundedFindings([...others, ...empty]);
  return {
    message: rendering.message,
    pieces: rendering.pieces,
    findings: [...bounded, ...ofOwnSubject],
    findingsLeft: left,
    resources: rendered.resources,
    resourcesCut: rendered.resourcesCut,
    addedBytes: sentBytes(rendering.message.html, additions) - sentBytes(rendering.message.html, null),
  };
}

interface Examined extends FoundResources {
  readonly findings: readonly RuleFinding[];
  readonly elements: ElementPlaces;
}

function examined(rendering: Rendering, isEmail: boolean): Examined {
  const { email, findings } = readRendered(rendering, false);
  const known = rendering.ownValues.size > 0 && isEmail ? readRendered(rendering, true).email : email;
  const found =
    known && isEmail ? resourcesOf(known, rendering.pieces) : { resources: [], resourcesCut: false };
  return {
    findings: [...findings, ...(email ? checkEmail(email, rendering.message.text) : [])],
    elements: new ElementPlaces(email),
    ...found,
  };
}

function failureFinding({ why, isSyntax }: RenderingFailure, told: readonly PlacedFinding[]): RuleFinding[] {
  if (isSyntax && told.some(({ rule }) => rule === 'template_error')) return [];
  return [{ rule: 'does_not_render', message: why, at: null }];
}

/** A written subject that is empty when rendered with a contact's data. */
function emptySubject(
  { message }: Rendering,
  content: InspectedContent,
  sample: PreviewSample | null,
): RuleFinding[] {
  if (!sample || isBlank(content.subject ?? '') || !isBlank(message.subject ?? '')) return [];
  const what = "With this contact's data, the subject is empty.";
  return [{ rule: 'subject_missing', message: what, at: null, subject: 'examined' }];
}

/** The findings in the template's own subject, when the caller's subject replaces it. */
function templatesOwnSubject({ ownSubject, templateLanguage }: InspectedContent): RuleFinding[] {
  if (ownSubject === undefined) return [];
  return ownSubjectFindings(ownSubject, templateLanguage).map((finding): RuleFinding => ({
    ...finding,
    subject: 'template',
  }));
}

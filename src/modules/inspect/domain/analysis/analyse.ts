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
import { ElementPositions } from '../email/element-positions.js';
import type { RuleFinding } from '../findings/finding.js';
import { withFixes } from '../fixes/mechanical-fixes.js';
import type { InspectChannel } from '../runs/inspect-job.js';
import { joinedFindings, positionedFindings, type PositionedFinding } from './joined-findings.js';
import { readRendered } from './rendered-email.js';
import { renderFor, type Rendering, type RenderingFailure } from './rendering.js';
import { resourcesOf, type FoundResources } from '../resources/resources.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkSize } from '../checks/message-size.js';
import type { SenderInputs } from '../checks/sender.js';
import { checkEmail, analyseSource, ownSubjectFindings } from '../checks/source-findings.js';

export interface AnalysisInput {
  /** With the caller's subject, if given. */
  readonly content: InspectedContent;
  /** The caller's preheader; null if not given. */
  readonly preheader: string | null;
  readonly channel: InspectChannel;
  readonly sender: SenderInputs;
  /** Private hosts that the operator allows, as in INSPECT_ALLOW_HOSTS. */
  readonly allowedHosts: readonly string[];
  /** A contact's data; null for sample values. */
  readonly sample: PreviewSample | null;
  readonly now: Date;
  /** What delivery adds to the message; nothing if absent. */
  readonly additions?: SentAdditions;
}

/** The rules for any channel: what breaks a text or executes code. */
const ANY_CHANNEL_RULES: ReadonlySet<RuleName> = new Set([
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
const PREFLIGHT_ONLY_RULES: ReadonlySet<RuleName> = new Set(['sender_shared_domain', 'not_live']);

/** Inspects a template; never throws. */
export function analyse(input: AnalysisInput): Analysis {
  const isEmail = input.channel === 'email';
  const content = isEmail ? input.content : { ...input.content, subject: null };
  const rendering = renderFor(content, input.sample, input.now);
  const hasPreheader = (input.preheader ?? '').trim() !== '';
  const isReported = (finding: RuleFinding): boolean =>
    isEmail
      ? !PREFLIGHT_ONLY_RULES.has(finding.rule) &&
        !(hasPreheader && finding.rule === 'preheader_missing') &&
        !isAllowed(finding, input.allowedHosts)
      : ANY_CHANNEL_RULES.has(finding.rule);
  const { bodyHtml } = content;
  const isFailed = 'why' in rendering;
  const source = analyseSource(content, input.sender, input.sample && !isFailed ? rendering : null);
  const elements = new ElementPositions(source.email);
  const html = isFailed ? null : rendering.message.html;
  const additions = input.additions ?? null;
  const written = input.sample && html !== null ? html : bodyHtml;
  const reported = [...source.findings, ...checkSize(written, html, additions)].filter(isReported);
  const positioned = positionedFindings(reported, bodyHtml, elements);
  const ofSource = withFixes(positioned, source.email, elements, content.subject);
  const ofOwnSubject = isEmail ? templatesOwnSubject(input.content) : [];
  if (isFailed) {
    // If the message does not render for a contact, only the errors of the template are reported.
    const reported = input.sample ? ofSource.filter(({ rule }) => rule === 'template_error') : ofSource;
    const all = [...reported, ...failureFinding(rendering, ofSource), ...ofOwnSubject];
    const { findings, omitted } = boundedFindings(all);
    return {
      message: null,
      pieces: [],
      findings,
      resources: [],
      resourcesTruncated: false,
      findingsOmitted: omitted,
      addedBytes: 0,
    };
  }
  const rendered = analyseRendering(rendering, isEmail);
  const findings = joinedFindings(
    ofSource,
    { ...rendered, findings: rendered.findings.filter(isReported), pieces: rendering.pieces },
    bodyHtml,
    elements,
  );
  const empty = isEmail ? emptySubject(rendering, content, input.sample) : [];
  const others = empty.length > 0 ? findings.filter(({ rule }) => rule !== 'subject_missing') : findings;
  const { findings: bounded, omitted } = boundedFindings([...others, ...empty]);
  return {
    message: rendering.message,
    pieces: rendering.pieces,
    findings: [...bounded, ...ofOwnSubject],
    findingsOmitted: omitted,
    resources: rendered.resources,
    resourcesTruncated: rendered.resourcesTruncated,
    addedBytes: sentBytes(rendering.message.html, additions) - sentBytes(rendering.message.html, null),
  };
}

interface AnalysedRendering extends FoundResources {
  readonly findings: readonly RuleFinding[];
  readonly elements: ElementPositions;
}

function analyseRendering(rendering: Rendering, isEmail: boolean): AnalysedRendering {
  const { email, findings } = readRendered(rendering, false);
  const known = rendering.ownValues.size > 0 && isEmail ? readRendered(rendering, true).email : email;
  const found =
    known && isEmail ? resourcesOf(known, rendering.pieces) : { resources: [], resourcesTruncated: false };
  return {
    findings: [...findings, ...(email ? checkEmail(email, rendering.message.text) : [])],
    elements: new ElementPositions(email),
    ...found,
  };
}

function failureFinding(
  { why, isSyntax }: RenderingFailure,
  reported: readonly PositionedFinding[],
): RuleFinding[] {
  if (isSyntax && reported.some(({ rule }) => rule === 'template_error')) return [];
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

/**
 * The content check of a run (section 4.7): the template is examined as it is written and as it is rendered, and what both
 * say is told once, at its place in the stored body.
 *
 * Dark corners:
 * - Of push and in-app messages the body alone is examined, and only for what spoils any text or runs something: no mail
 *   program ever reads them, and nothing of them is fetched.
 * - With a contact's data nothing is examined but what is rendered with it. Its own values are judged like what is written;
 *   events that are not given are made up.
 * - What a template's author wrote wrongly fails the rendering too, and is told once, as an error of the template.
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
  /** Its subject is the caller's where one is given. */
  readonly content: InspectedContent;
  /** What the caller gives; null where it gives none. */
  readonly preheader: string | null;
  readonly channel: InspectChannel;
  readonly sender: SenderFacts;
  /** Private hosts that the operator allows, as INSPECT_ALLOW_HOSTS has them. */
  readonly allowedHosts: readonly string[];
  /** A contact's data; null: sample values. */
  readonly sample: PreviewSample | null;
  readonly now: Date;
  /** What is added on the way out; nothing where absent. */
  readonly additions?: SentAdditions;
}

/** What spoils a text on any channel, or runs something. */
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

/** What preflight tells of a workspace: no run of a template repeats it. */
const OF_PREFLIGHT_ALONE: ReadonlySet<RuleName> = new Set(['sender_shared_domain', 'not_live']);

/** Examines a template; never throws. */
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
    // A contact whose message does not render gets nothing that could be at fault.
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

/** A subject that is written and of which a contact's data leaves nothing. */
function emptySubject(
  { message }: Rendering,
  content: InspectedContent,
  sample: PreviewSample | null,
): RuleFinding[] {
  if (!sample || isBlank(content.subject ?? '') || !isBlank(message.subject ?? '')) return [];
  const what = "With this contact's data, the subject is empty.";
  return [{ rule: 'subject_missing', message: what, at: null, subject: 'examined' }];
}

/** What is wrong with the subject that the caller's stands in for. */
function templatesOwnSubject({ ownSubject, templateLanguage }: InspectedContent): RuleFinding[] {
  if (ownSubject === undefined) return [];
  return ownSubjectFindings(ownSubject, templateLanguage).map((finding): RuleFinding => ({
    ...finding,
    subject: 'template',
  }));
}

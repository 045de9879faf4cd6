/**
 * Whether templates may be sent as they are (section 4.7: pre-send-check, blocking): judged by the critical findings that
 * are open in the latest run of their current versions. What judges is the same for flows, campaigns and whoever asks.
 */
import type { Blocking } from '../runs/inspect-config.js';
import { isBlank } from '../email/blank-text.js';
import { inWords } from '../findings/inspect-finding.js';
import type { RenderClient } from '../rendering/render-client.js';
import type { FindingCategory } from '../rules/rule.js';
import { SUBJECT_RULES } from '../rules/subject-rules.js';

/** A version that is about to be sent. */
export interface GatedTemplate {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  /** Whether every place that sends it gives a subject of its own, so that it needs none. */
  readonly subjectGiven: boolean;
}

/** One place that sends a template, with the subject that it gives in place of the template's. */
export interface TemplateUse {
  readonly template: Pick<GatedTemplate, 'id' | 'slug' | 'version'>;
  readonly subject: string | null;
}

/** A critical finding that is open. */
export interface GateFinding {
  readonly id: string;
  readonly jobId: string;
  readonly templateId: string;
  readonly code: string;
  readonly category: FindingCategory;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly snippet: string | null;
  readonly clients: readonly RenderClient[];
}

/** A finding as lists of findings show it, with the template that it is of; it is open, or the gate would not tell of it. */
export interface GateNotice extends Omit<GateFinding, 'templateId'> {
  readonly severity: 'critical';
  readonly title: string;
  readonly fix: string;
  readonly status: 'open';
  readonly snoozedUntil: null;
  readonly reason: null;
  readonly templateSlug: string;
  readonly templateVersion: number;
}

/** What is known of templates that are about to be sent; each is named by its id. */
export interface GateFacts {
  readonly blocking: Blocking;
  /** Those whose current version has been examined. */
  readonly inspected: ReadonlySet<string>;
  readonly findings: readonly GateFinding[];
  /** Those whose current version may be sent whatever was found. */
  readonly overridden: ReadonlySet<string>;
}

export interface GateJudgement {
  /** Versions to be examined before anything can be said. */
  readonly uninspected: readonly GatedTemplate[];
  /** What keeps them from being sent. */
  readonly blocked: readonly GateNotice[];
  /** What is wrong, and keeps nobody. */
  readonly warnings: readonly GateNotice[];
}

/** That a template has no subject, which matters not where one is given. */
export const NO_SUBJECT: string = SUBJECT_RULES.subject_missing.code;

const OPEN: GateJudgement = { uninspected: [], blocked: [], warnings: [] };

/** The templates of many places, each once. */
export function gatedTemplates(uses: readonly TemplateUse[]): GatedTemplate[] {
  const gated = new Map<string, GatedTemplate>();
  for (const { template, subject } of uses) {
    const { id, slug, version } = template;
    const isGiven = subject !== null && !isBlank(subject);
    gated.set(id, { id, slug, version, subjectGiven: isGiven && (gated.get(id)?.subjectGiven ?? true) });
  }
  return [...gated.values()];
}

/** Judges templates: under `warn` nothing keeps them, under `off` nothing is told either. */
export function judge(templates: readonly GatedTemplate[], facts: GateFacts): GateJudgement {
  const { blocking, inspected, overridden } = facts;
  if (blocking === 'off') return OPEN;
  if (blocking === 'warn') return { ...OPEN, warnings: noticesOf(templates, facts.findings) };
  const judged = templates.filter(({ id }) => !overridden.has(id));
  return {
    uninspected: judged.filter(({ id }) => !inspected.has(id)),
    blocked: noticesOf(judged, facts.findings),
    warnings: [],
  };
}

/** What is found in templates, with what the rules say of it. */
export function noticesOf(
  templates: readonly GatedTemplate[],
  findings: readonly GateFinding[],
): GateNotice[] {
  return templates.flatMap(({ id, slug, version, subjectGiven }) =>
    findings
      .filter(({ templateId, code }) => templateId === id && !(subjectGiven && code === NO_SUBJECT))
      .map((finding) => noticeOf(finding, slug, version)),
  );
}

/** Its members stand in the order in which lists of findings show them. */
function noticeOf(finding: GateFinding, templateSlug: string, templateVersion: number): GateNotice {
  const { id, jobId, code, category, title, message, fix, line, column, snippet, clients } = inWords(finding);
  return {
    ...{
      id,
      jobId,
      code,
      category,
      severity: 'critical',
      title,
      message,
      fix,
      line,
      column,
      snippet,
      clients,
    },
    ...{ status: 'open', snoozedUntil: null, reason: null, templateSlug, templateVersion },
  };
}

/**
 * Decides whether templates may be sent as they are (section 4.7: pre-send-check, blocking), by the critical findings
 * that are open in the latest run of their current versions. Flows, campaigns and the check on request all use this
 * decision.
 */
import type { Blocking } from '../runs/inspect-config.js';
import { isBlank } from '../email/blank-text.js';
import { withRuleTexts } from '../findings/inspect-finding.js';
import type { RenderClient } from '../rendering/render-client.js';
import type { FindingCategory } from '../rules/rule.js';
import { SUBJECT_RULES } from '../rules/subject-rules.js';

/** A version that is about to be sent. */
export interface GatedTemplate {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  /** Whether every flow step or campaign that sends it gives its own subject, so that the template needs none. */
  readonly subjectGiven: boolean;
}

/** One use of a template, with the subject that it gives in place of the template's. */
export interface TemplateUse {
  readonly template: Pick<GatedTemplate, 'id' | 'slug' | 'version'>;
  readonly subject: string | null;
}

/** An open critical finding. */
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

/** A finding as lists of findings show it, with its template. It is always open: the gate reports no others. */
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

/** The inputs of the decision; templates are identified by id. */
export interface GateInputs {
  readonly blocking: Blocking;
  /** Templates whose current version has been inspected. */
  readonly inspected: ReadonlySet<string>;
  readonly findings: readonly GateFinding[];
  /** Templates whose current version may be sent in spite of its findings. */
  readonly overridden: ReadonlySet<string>;
}

export interface GateJudgement {
  /** Versions that must be inspected before the gate can decide. */
  readonly uninspected: readonly GatedTemplate[];
  /** The findings that block sending. */
  readonly blocked: readonly GateNotice[];
  /** The findings that do not block. */
  readonly warnings: readonly GateNotice[];
}

/** The code for a missing subject, which does not matter if one is given. */
export const NO_SUBJECT: string = SUBJECT_RULES.subject_missing.code;

const NOTHING_TO_REPORT: GateJudgement = { uninspected: [], blocked: [], warnings: [] };

/** The templates of several uses, each once. */
export function gatedTemplates(uses: readonly TemplateUse[]): GatedTemplate[] {
  const gated = new Map<string, GatedTemplate>();
  for (const { template, subject } of uses) {
    const { id, slug, version } = template;
    const isGiven = subject !== null && !isBlank(subject);
    gated.set(id, { id, slug, version, subjectGiven: isGiven && (gated.get(id)?.subjectGiven ?? true) });
  }
  return [...gated.values()];
}

/** Decides about templates: under `warn` nothing blocks them, and under `off` there are no warnings either. */
export function judge(templates: readonly GatedTemplate[], inputs: GateInputs): GateJudgement {
  const { blocking, inspected, overridden } = inputs;
  if (blocking === 'off') return NOTHING_TO_REPORT;
  if (blocking === 'warn') return { ...NOTHING_TO_REPORT, warnings: noticesOf(templates, inputs.findings) };
  const judged = templates.filter(({ id }) => !overridden.has(id));
  return {
    uninspected: judged.filter(({ id }) => !inspected.has(id)),
    blocked: noticesOf(judged, inputs.findings),
    warnings: [],
  };
}

/** The findings in templates, with the texts of their rules. */
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

/** Its properties are in the order in which lists of findings show them. */
function noticeOf(finding: GateFinding, templateSlug: string, templateVersion: number): GateNotice {
  const { id, jobId, code, category, title, message, fix, line, column, snippet, clients } =
    withRuleTexts(finding);
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

/**
 * Checks whether a template could be sent now, and what prevents it (section 4.7: pre-send-check). The check changes no
 * template and sends nothing.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { TemplateService } from '../../templates/application/template.service.js';
import { type GatedTemplate, type GateNotice, noticesOf } from '../domain/gate/gate.js';
import type { Blocking } from '../domain/runs/inspect-config.js';
import { MAX_NOTICES } from '../domain/gate/inspection-blocked.js';
import { GateRepository } from '../persistence/gate.repository.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { GateInputLoader } from './gate-input-loader.js';
import { INSPECTION_TIMEOUT_MS, PreSendGate } from './pre-send-gate.js';

/**
 * Why a template should not, or may not, be sent. `template_errors` comes first: if the template's text has errors,
 * sending it is refused or fails, even with a token.
 */
export const PRE_SEND_REASONS = ['template_errors', 'critical_findings', 'never_inspected'] as const;
export type PreSendReason = (typeof PRE_SEND_REASONS)[number];

export interface PreSendAnswer {
  /** False only under `block`. */
  readonly canSend: boolean;
  readonly blocking: Blocking;
  /** Null if nothing is wrong. */
  readonly reason: PreSendReason | null;
  /** The open critical findings of the current version. */
  readonly findings: readonly GateNotice[];
  /** Of the current version; null if it was never inspected. */
  readonly score: number | null;
  readonly templateVersion: number;
  /** The version that was inspected last; null if none was. */
  readonly inspectedVersion: number | null;
  readonly lastInspectedAt: Date | null;
  /** Whether the token of the request lets the current version pass. */
  readonly overridden: boolean;
}

/** Maximum number of inspections when new versions keep replacing the one that is being inspected. */
const MAX_EVALUATIONS = 3;

@Injectable()
export class PreSendCheck {
  constructor(
    private readonly database: Database,
    private readonly templates: TemplateService,
    private readonly configs: InspectConfigRepository,
    private readonly inputs: GateInputLoader,
    private readonly runs: GateRepository,
    private readonly gate: PreSendGate,
  ) {}

  /**
   * Checks a template as it would be sent with its own subject. Under `block`, a version that was never inspected first
   * gets a quick run.
   * @param token an override token; null if the request has none.
   * @throws DomainError template_not_found; service_unavailable if the inspection takes too long.
   */
  async check(scope: TenantScope, slug: string, token: string | null): Promise<PreSendAnswer> {
    const signal = AbortSignal.timeout(INSPECTION_TIMEOUT_MS);
    for (let evaluation = 1; ; evaluation++) {
      const { template, answer } = await this.database.inScope(scope, (tx) =>
        this.evaluate(tx, scope, slug, token),
      );
      const needsInspection = answer.blocking === 'block' && answer.reason === 'never_inspected';
      if (!needsInspection || evaluation === MAX_EVALUATIONS) return answer;
      await this.gate.inspectVersions(scope, [template], signal);
    }
  }

  private async evaluate(
    tx: Transaction,
    scope: TenantScope,
    slug: string,
    token: string | null,
  ): Promise<{ readonly template: GatedTemplate; readonly answer: PreSendAnswer }> {
    const [found] = await this.templates.bySlugs(tx, scope, [slug]);
    if (!found) throw new DomainError('template_not_found', `No template has the slug ${slug}.`);
    const template: GatedTemplate = { id: found.id, slug, version: found.version, subjectGiven: false };
    const config = await this.configs.find(tx, scope);
    const { inspected, findings } = await this.inputs.openFindings(tx, scope, [template], config);
    const overridden = await this.inputs.overridden(tx, scope, [template], token === null ? [] : [token]);
    const last = await this.runs.lastRun(tx, scope, template.id);
    const isInspected = inspected.length > 0;
    const hasErrors = found.validationErrors.some(({ severity }) => severity === 'error');
    const isOverridden = overridden.has(template.id);
    return {
      template,
      answer: {
        canSend: config.blocking !== 'block' || (isInspected && findings.length === 0) || isOverridden,
        blocking: config.blocking,
        reason: reasonOf(isInspected, hasErrors, findings.length),
        findings: noticesOf([template], findings).slice(0, MAX_NOTICES),
        score: inspected[0]?.score ?? null,
        templateVersion: template.version,
        inspectedVersion: last?.version ?? null,
        lastInspectedAt: last?.completedAt ?? null,
        overridden: isOverridden,
      },
    };
  }
}

function reasonOf(isInspected: boolean, hasErrors: boolean, findings: number): PreSendReason | null {
  if (!isInspected) return 'never_inspected';
  if (hasErrors) return 'template_errors';
  return findings > 0 ? 'critical_findings' : null;
}

/** Loads the inputs of the gate's decision for many templates together, in the transaction that sends them. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { GatedTemplate, GateInputs, GateFinding } from '../domain/gate/gate.js';
import type { InspectConfig } from '../domain/runs/inspect-config.js';
import { hashOfOverride } from '../domain/gate/override.js';
import { type InspectedVersion, GateRepository } from '../persistence/gate.repository.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { OverrideRepository } from '../persistence/override.repository.js';

/** What the runs of the templates' versions found. */
export interface InspectedFindings {
  readonly inspected: readonly InspectedVersion[];
  readonly findings: readonly GateFinding[];
}

/** The inputs if there is nothing to decide. */
const NO_INPUTS: Omit<GateInputs, 'blocking'> = { inspected: new Set(), findings: [], overridden: new Set() };

@Injectable()
export class GateInputLoader {
  constructor(
    private readonly configs: InspectConfigRepository,
    private readonly runs: GateRepository,
    private readonly overrides: OverrideRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * All inputs of `judge`.
   * @param tokens the override tokens of the request.
   */
  async load(
    tx: Transaction,
    scope: WorkspaceScope,
    templates: readonly GatedTemplate[],
    tokens: readonly string[],
  ): Promise<GateInputs> {
    const config = await this.configs.find(tx, scope);
    const { blocking } = config;
    if (blocking === 'off' || templates.length === 0) return { blocking, ...NO_INPUTS };
    const { inspected, findings } = await this.openFindings(tx, scope, templates, config);
    return {
      blocking,
      inspected: new Set(inspected.map(({ templateId }) => templateId)),
      findings,
      overridden: await this.overridden(tx, scope, templates, tokens),
    };
  }

  /** The open critical findings of the latest run of each template's current version, by their current marks. */
  async openFindings(
    tx: Transaction,
    scope: WorkspaceScope,
    templates: readonly GatedTemplate[],
    { snoozedCodes }: Pick<InspectConfig, 'snoozedCodes'>,
  ): Promise<InspectedFindings> {
    const inspected = await this.runs.inspectedVersions(tx, scope, templates);
    if (inspected.length === 0) return { inspected, findings: [] };
    const withGivenSubject = new Set(templates.flatMap(({ id, subjectGiven }) => (subjectGiven ? [id] : [])));
    const runs = inspected.map(({ templateId, jobId, fullJobId }) => {
      return { jobId, fullJobId, subjectGiven: withGivenSubject.has(templateId) };
    });
    const findings = await this.runs.openCritical(tx, scope, runs, snoozedCodes, this.clock.now());
    return { inspected, findings };
  }

  /** The ids of the templates whose current version a token lets pass; an invalid token lets nothing pass. */
  async overridden(
    tx: Transaction,
    scope: WorkspaceScope,
    templates: readonly GatedTemplate[],
    tokens: readonly string[],
  ): Promise<Set<string>> {
    if (tokens.length === 0) return new Set();
    const valid = await this.overrides.valid(tx, scope, tokens.map(hashOfOverride), this.clock.now());
    const passes = ({ id, version }: GatedTemplate): boolean =>
      valid.some(({ templateId, templateVersion }) => templateId === id && templateVersion === version);
    return new Set(templates.filter(passes).map(({ id }) => id));
  }
}

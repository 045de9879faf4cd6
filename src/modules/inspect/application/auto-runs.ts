/** Inspects templates whenever they are saved, if the workspace wants it, and deletes the runs of deleted templates. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { TemplateChanges } from '../../templates/application/template-changes.port.js';
import type { Template } from '../../templates/domain/template.js';
import { newJob, AUTOMATIC_REQUEST } from '../domain/runs/new-job.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { InspectFindingRepository } from '../persistence/inspect-finding.repository.js';
import { InspectJobRepository, type RemovedJob } from '../persistence/inspect-job.repository.js';
import { InspectMarkRepository } from '../persistence/inspect-mark.repository.js';
import { InspectScreenshotRepository } from '../persistence/inspect-screenshot.repository.js';
import { InspectCredits } from './inspect-credits.js';

/** Maximum number of waiting runs for saved templates; beyond it, saving a template queues no run. */
const MAX_UNFINISHED_SAVE_RUNS = 500;

@Injectable()
export class AutoRuns extends TemplateChanges {
  constructor(
    private readonly configs: InspectConfigRepository,
    private readonly jobs: InspectJobRepository,
    private readonly findings: InspectFindingRepository,
    private readonly marks: InspectMarkRepository,
    private readonly screenshots: InspectScreenshotRepository,
    private readonly credits: InspectCredits,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Queues a quick run. It replaces runs of earlier versions that have not started. */
  override async saved(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    template: Template,
    actor: string,
    now: Date,
  ): Promise<void> {
    // Runs belong to the workspace: without a contact, the environment has no effect.
    const scope: TenantScope = { workspaceId, environment: 'live' };
    const { autoRunOnSave } = await this.configs.find(tx, scope);
    if (!autoRunOnSave) return;
    await this.jobs.dropQueuedSaves(tx, scope, template.id);
    if ((await this.jobs.countUnfinished(tx, scope, 'save')) >= MAX_UNFINISHED_SAVE_RUNS) return;
    const id = uuidv7(now.getTime());
    const job = newJob({ id, scope, template, request: AUTOMATIC_REQUEST, trigger: 'save', actor });
    await this.jobs.insert(tx, scope, job, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.inspections, scope));
  }

  override async deleted(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void> {
    await this.credits.lock(tx, scope);
    const runs = await this.jobs.removeOfTemplate(tx, scope, templateId);
    await this.refundOpenRuns(tx, scope, runs);
    const removedIds = runs.map(({ id }) => id);
    await this.screenshots.removeOf(tx, scope, removedIds);
    await this.findings.removeOf(tx, scope, removedIds);
    await this.marks.removeOfTemplate(tx, scope, templateId);
  }

  /** Refunds the credits of runs that had not ended, except for versions that a full run has inspected. */
  private async refundOpenRuns(
    tx: Transaction,
    scope: WorkspaceScope,
    runs: readonly RemovedJob[],
  ): Promise<void> {
    const full = runs.filter(({ mode }) => mode === 'full');
    const inspectedVersions = new Set(
      full.flatMap(({ status, templateVersion }) => (status === 'completed' ? [templateVersion] : [])),
    );
    for (const run of full) {
      const isOpen = run.status === 'queued' || run.status === 'running';
      if (isOpen && run.creditsCharged > 0 && !inspectedVersions.has(run.templateVersion))
        await this.credits.settle(tx, scope, run, this.clock.now());
    }
  }
}

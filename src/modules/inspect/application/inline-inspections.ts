/**
 * Inspects versions immediately, for the gate before they are sent: with a quick run, free of charge, and outside of
 * any transaction. Each inspection is a normal run, so it is visible, and workers finish it if this process dies.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { MINUTE } from '../../../kernel/duration.js';
import { SYSTEM_AUTHOR } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { withPermit } from '../../../platform/database/with-permit.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { GatedTemplate } from '../domain/gate/gate.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import { newJob, AUTOMATIC_REQUEST } from '../domain/runs/new-job.js';
import { MAX_UNFINISHED_GATE_RUNS } from '../domain/runs/run-bounds.js';
import { GateRepository } from '../persistence/gate.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { InspectRunner } from './inspect-runner.js';

/** Versions that a process inspects for its callers concurrently; those of one workspace wait for each other. */
const CONCURRENCY_LIMITS = {
  maxPermits: 4,
  maxPerOwner: 1,
  maxWaitingPerOwner: 20,
  maxWaitMs: MINUTE,
  order: 'fewest_running',
} as const;

@Injectable()
export class InlineInspections {
  private readonly permits = new FairSemaphore(CONCURRENCY_LIMITS);

  constructor(
    private readonly database: Database,
    private readonly templates: TemplateService,
    private readonly runs: GateRepository,
    private readonly jobs: InspectJobRepository,
    private readonly work: InspectWorkRepository,
    private readonly runner: InspectRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a quick run of a version and stores its result. Does nothing if the version has been inspected meanwhile, if
   * the template is deleted or has another version by now, or if MAX_UNFINISHED_GATE_RUNS runs wait. Workers retry a
   * run that fails.
   * @param signal aborts the run.
   * @throws DomainError service_unavailable if the workspace gets no permit in time; the error that says that the
   *   database cannot be reached.
   */
  async inspect(scope: TenantScope, template: GatedTemplate, signal: AbortSignal): Promise<void> {
    await withPermit(this.permits, scope.workspaceId, async () => {
      if (signal.aborted) return;
      const job = await this.database.inScope(scope, (tx) => this.claimNewRun(tx, scope, template));
      if (job) await this.runner.execute(scope, job, signal);
    });
  }

  private async claimNewRun(
    tx: Transaction,
    scope: TenantScope,
    requested: GatedTemplate,
  ): Promise<ClaimedJob | undefined> {
    const [template] = await this.templates.byIds(tx, scope, [requested.id]);
    if (template?.version !== requested.version) return undefined;
    if ((await this.jobs.countUnfinished(tx, scope, 'gate')) >= MAX_UNFINISHED_GATE_RUNS) return undefined;
    if ((await this.runs.inspectedVersions(tx, scope, [requested])).length > 0) return undefined;
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    const runRequest = {
      id,
      scope,
      template,
      request: AUTOMATIC_REQUEST,
      trigger: 'gate',
      actor: SYSTEM_AUTHOR.actor,
    } as const;
    await this.jobs.insert(tx, scope, newJob(runRequest), now);
    return this.work.claimById(tx, scope, id, now);
  }
}

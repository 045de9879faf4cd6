/**
 * Inspects versions immediately, for the gate before they are sent: with a quick run, free of charge, and outside of
 * any transaction. Each inspection is a normal run, so it is visible, and workers finish it if this process dies.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { MINUTE } from '../../../kernel/duration.js';
import { BY_ITSELF } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { inTurn } from '../../../platform/database/in-turn.js';
import { Shares } from '../../../platform/database/shares.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { GatedTemplate } from '../domain/gate/gate.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import { newJob, OF_ITSELF } from '../domain/runs/new-job.js';
import { MOST_WAITING_OF_GATE } from '../domain/runs/run-bounds.js';
import { GateRepository } from '../persistence/gate.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { InspectRunner } from './inspect-runner.js';

/** Versions that a process inspects for its callers concurrently; those of one workspace wait for each other. */
const AT_ONCE = { most: 4, mostOfOne: 1, mostWaitingOfOne: 20, patience: MINUTE } as const;

@Injectable()
export class InlineInspections {
  private readonly shares = new Shares(AT_ONCE);

  constructor(
    private readonly database: Database,
    private readonly templates: TemplateService,
    private readonly examined: GateRepository,
    private readonly jobs: InspectJobRepository,
    private readonly work: InspectWorkRepository,
    private readonly runner: InspectRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a quick run of a version and stores its result. Does nothing if the version has been inspected meanwhile, if
   * the template is deleted or has another version by now, or if MOST_WAITING_OF_GATE runs wait. Workers retry a run
   * that fails.
   * @param signal aborts the run.
   * @throws DomainError service_unavailable if the workspace gets no permit in time; the error that says that the
   *   database cannot be reached.
   */
  async inspect(scope: TenantScope, template: GatedTemplate, signal: AbortSignal): Promise<void> {
    await inTurn(this.shares, scope.workspaceId, async () => {
      if (signal.aborted) return;
      const job = await this.database.inScope(scope, (tx) => this.begin(tx, scope, template));
      if (job) await this.runner.make(scope, job, signal);
    });
  }

  private async begin(
    tx: Transaction,
    scope: TenantScope,
    wanted: GatedTemplate,
  ): Promise<ClaimedJob | undefined> {
    const [template] = await this.templates.byIds(tx, scope, [wanted.id]);
    if (template?.version !== wanted.version) return undefined;
    if ((await this.jobs.waiting(tx, scope, 'gate')) >= MOST_WAITING_OF_GATE) return undefined;
    if ((await this.examined.examined(tx, scope, [wanted])).length > 0) return undefined;
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    const order = {
      id,
      scope,
      template,
      request: OF_ITSELF,
      trigger: 'gate',
      actor: BY_ITSELF.actor,
    } as const;
    await this.jobs.insert(tx, scope, newJob(order), now);
    return this.work.begin(tx, scope, id, now);
  }
}

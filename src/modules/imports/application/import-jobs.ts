/** Runs a workspace's jobs, one at a time and in the order in which they were requested. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.js';
import { Database } from '../../../platform/database/database.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { SEEN_KEYS_DELETE_BATCH } from '../domain/work-limits.js';
import { ImportSeenRepository } from '../persistence/import-seen.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportFiles } from './import-files.js';
import { ImportRunner } from './import-runner.js';
import { JOB_LIMITS, JobPermit } from './job-permit.js';

@Injectable()
export class ImportJobs {
  /** Workspaces that this process works for. A second wake-up for the same workspace returns immediately. */
  private readonly working = new Set<string>();
  private readonly permits = new FairSemaphore(JOB_LIMITS);

  constructor(
    private readonly database: Database,
    private readonly work: ImportWorkRepository,
    private readonly seen: ImportSeenRepository,
    private readonly files: ImportFiles,
    private readonly runner: ImportRunner,
    private readonly workspaces: WorkspaceService,
    private readonly session: WorkSession,
    private readonly clock: Clock,
  ) {}

  /**
   * Works on the current job until no job is left, another process has claimed it, or the time slice is over, which
   * begins when a permit is free. Also removes expired files and the seen keys of ended jobs.
   * @returns whether due work may be left.
   * @throws errors that mean that the database is unreachable.
   */
  async run(scope: TenantScope): Promise<boolean> {
    const { workspaceId } = scope;
    if (this.working.has(workspaceId)) return false;
    this.working.add(workspaceId);
    const permit = await JobPermit.acquire(this.permits, workspaceId);
    try {
      const mayContinue = this.session.timeSlice();
      const isDue = await this.runJobs({ workspaceId }, mayContinue, permit);
      return (await this.cleanUp(scope, mayContinue)) || isDue;
    } finally {
      permit.release();
      this.working.delete(workspaceId);
    }
  }

  private async runJobs(
    workspace: WorkspaceScope,
    mayContinue: () => boolean,
    permit: JobPermit,
  ): Promise<boolean> {
    while (mayContinue()) {
      const { claimedIds } = this.runner;
      const claim = await this.database.inScope(workspace, async (tx) => {
        const workspaceState = await this.workspaces.currentState(tx, workspace);
        return workspaceState && this.work.claim(tx, workspace, workspaceState, this.clock.now(), claimedIds);
      });
      if (!claim) return false;
      await this.runner.runTimeSlice(claim.scope, claim.job, mayContinue, permit);
    }
    return true;
  }

  /** One batch in any case, and more while the time slice lasts. */
  private async cleanUp(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    do {
      const removed = await this.files.removeExpired(scope, this.clock.now());
      const deleted = await this.database.inScope(scope, (tx) =>
        this.seen.deleteSome(tx, scope, SEEN_KEYS_DELETE_BATCH, this.clock.now()),
      );
      if (removed === 0 && deleted < SEEN_KEYS_DELETE_BATCH) return false;
    } while (mayContinue());
    return true;
  }
}

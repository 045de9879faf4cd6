/** Runs a workspace's jobs, one at a time and in the order in which they were requested. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { FORGOTTEN_AT_ONCE } from '../domain/work-bounds.js';
import { ImportSeenRepository } from '../persistence/import-seen.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportFiles } from './import-files.js';
import { ImportRunner } from './import-runner.js';
import { Seats, type Seat } from './seats.js';

@Injectable()
export class ImportJobs {
  /** Workspaces that this process works for. A second wake-up for the same workspace returns immediately. */
  private readonly working = new Set<string>();
  private readonly seats = new Seats();

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
    const seat = await this.seats.take();
    try {
      const mayGoOn = this.session.turn();
      const isDue = await this.drain({ workspaceId }, mayGoOn, seat);
      return (await this.tidy(scope, mayGoOn)) || isDue;
    } finally {
      seat.leave();
      this.working.delete(workspaceId);
    }
  }

  private async drain(workspace: WorkspaceScope, mayGoOn: () => boolean, seat: Seat): Promise<boolean> {
    while (mayGoOn()) {
      const { inHand } = this.runner;
      const claim = await this.database.inScope(workspace, async (tx) => {
        const standing = await this.workspaces.standingNow(tx, workspace);
        return standing && this.work.claim(tx, workspace, standing, this.clock.now(), inHand);
      });
      if (!claim) return false;
      await this.runner.turn(claim.scope, claim.job, mayGoOn, seat);
    }
    return true;
  }

  /** One batch in any case, and more while the time slice lasts. */
  private async tidy(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    do {
      const removed = await this.files.removeExpired(scope, this.clock.now());
      const forgotten = await this.database.inScope(scope, (tx) =>
        this.seen.forgetSome(tx, scope, FORGOTTEN_AT_ONCE, this.clock.now()),
      );
      if (removed === 0 && forgotten < FORGOTTEN_AT_ONCE) return false;
    } while (mayGoOn());
    return true;
  }
}

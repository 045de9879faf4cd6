/** Works a workspace's jobs off, one at a time and in the order in which they were asked for. */
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
  /** Workspaces that this process works for: a second bell of the same need not ask. */
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
   * Works on the job whose turn it is until none is, another process has it in hand, or the turn is over, which
   * begins when there is a seat. Files whose time is over are removed, and so is what ended jobs have come across.
   * @returns whether something may be left that is due.
   * @throws what says that the database cannot be reached.
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

  /** A little in any case, and more while the turn lasts. */
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

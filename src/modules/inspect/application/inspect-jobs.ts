/**
 * Works through a workspace's runs of a mode, one at a time. Runs of other workspaces, and of the other mode, proceed
 * in parallel.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { InspectMode } from '../domain/runs/inspect-job.js';
import { InspectFetchRepository } from '../persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { InspectRunner } from './inspect-runner.js';

@Injectable()
export class InspectJobs {
  /** What this process works on, so that a second wake-up for the same need not query. */
  private readonly inProgress = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly work: InspectWorkRepository,
    private readonly fetches: InspectFetchRepository,
    private readonly runner: InspectRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes due runs until none is left, another process makes one, or `mayContinue` returns false. Quick runs also delete
   * cached answers of addresses that are more than an hour old.
   * @returns whether some may be left.
   * @throws the error that says that the database cannot be reached.
   */
  async run(
    { workspaceId }: WorkspaceScope,
    mode: InspectMode,
    mayContinue: () => boolean,
  ): Promise<boolean> {
    const key = `${workspaceId} ${mode}`;
    if (this.inProgress.has(key)) return false;
    this.inProgress.add(key);
    try {
      if (mode === 'quick') await this.fetches.deleteExpired({ workspaceId }, this.clock.now());
      return await this.drain({ workspaceId }, mode, mayContinue);
    } finally {
      this.inProgress.delete(key);
    }
  }

  private async drain(
    scope: WorkspaceScope,
    mode: InspectMode,
    mayContinue: () => boolean,
  ): Promise<boolean> {
    while (mayContinue()) {
      const { claimedIds } = this.runner;
      const job = await this.database.inScope(scope, (tx) =>
        this.work.claim(tx, scope, mode, this.clock.now(), claimedIds),
      );
      if (!job) return false;
      await this.runner.execute(scope, job);
    }
    return true;
  }
}

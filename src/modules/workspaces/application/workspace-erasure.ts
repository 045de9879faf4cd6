/**
 * Deletes everything of a workspace whose time is over: table by table, in bites that hold nobody up; and once more an hour
 * later, when whatever was under way has been written, with its own row as the last. A crash leaves it to the second look. What
 * cannot be deleted keeps nothing else from going, and is tried again until it goes: it was promised.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { MINUTE } from '../../../kernel/duration.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, isUnreachable, type Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';
import { WorkspaceRows } from '../../../platform/database/workspace-rows.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { SECOND_LOOK } from '../domain/deletion.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';

/** Rows of a transaction. */
const BITE = 2_000;
/** How long a deletion waits of which a part has failed. */
const PAUSE = 10 * MINUTE;

@Injectable()
export class WorkspaceErasure {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceRepository,
    private readonly rows: WorkspaceRows,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Deletes the workspace where its time is over.
   * @returns whether something may be left.
   */
  async erase(scope: WorkspaceScope, mayGoOn: () => boolean): Promise<boolean> {
    const now = this.clock.now();
    // From here on there is no way back.
    const begun = await this.database.inScope(scope, async (tx) => {
      const since = await this.workspaces.beginDeletion(tx, scope, now);
      return since && { since, tables: await this.rows.tables(tx) };
    });
    if (!begun) return false;
    let hasFailed = false;
    for (const table of begun.tables)
      try {
        for (let wasFull = true; wasFull;) {
          if (!mayGoOn()) return true;
          wasFull = (await this.database.inScope(scope, (tx) => this.bite(tx, table, scope))) >= BITE;
        }
      } catch (error) {
        if (isUnreachable(error)) throw error;
        hasFailed = true;
        this.logger.error(
          { err: error, table, ...scope },
          'Rows of a deleted workspace could not be deleted',
        );
      }
    if (hasFailed) {
      this.metrics.failedDeletions.inc();
      const until = new Date(now.getTime() + PAUSE);
      await this.database.inScope(scope, (tx) => this.workspaces.postponeDeletion(tx, scope, until));
      return false;
    }
    if (now.getTime() - begun.since.getTime() >= SECOND_LOOK)
      await this.database.inScope(scope, (tx) => this.workspaces.remove(tx, scope));
    return false;
  }

  /** The most rows that an environment had in it. */
  private async bite(tx: Transaction, table: string, scope: WorkspaceScope): Promise<number> {
    let most = 0;
    await inEachEnvironment(tx, scope, async () => {
      most = Math.max(most, await this.rows.remove(tx, table, scope, BITE));
    });
    return most;
  }
}

/**
 * Deletes all data of a workspace whose deletion is due, table by table in small transactions that block no one. An
 * hour later a second pass deletes what other transactions wrote meanwhile, and finally the workspace's own row; it
 * also completes a pass that crashed. If a table fails, the others are still deleted, and the deletion is retried
 * until it succeeds, because it was promised.
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
import { SECOND_PASS_DELAY_MS } from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';

/** Rows per transaction. */
const CHUNK_ROWS = 2_000;
/** Delay before the retry of a deletion that failed in part. */
const RETRY_DELAY_MS = 10 * MINUTE;

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
   * Deletes the workspace if its deletion is due.
   * @returns whether something may be left.
   */
  async erase(scope: WorkspaceScope, mayContinue: () => boolean): Promise<boolean> {
    const now = this.clock.now();
    // The deletion cannot be cancelled after this.
    const started = await this.database.inScope(scope, async (tx) => {
      const since = await this.workspaces.beginDeletion(tx, scope, now);
      return since && { since, tables: await this.rows.tables(tx) };
    });
    if (!started) return false;
    let hasFailed = false;
    for (const table of started.tables)
      try {
        for (let wasFull = true; wasFull;) {
          if (!mayContinue()) return true;
          wasFull =
            (await this.database.inScope(scope, (tx) => this.deleteChunk(tx, table, scope))) >= CHUNK_ROWS;
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
      const until = new Date(now.getTime() + RETRY_DELAY_MS);
      await this.database.inScope(scope, (tx) => this.workspaces.postponeDeletion(tx, scope, until));
      return false;
    }
    if (now.getTime() - started.since.getTime() >= SECOND_PASS_DELAY_MS)
      await this.database.inScope(scope, (tx) => this.workspaces.remove(tx, scope));
    return false;
  }

  /** Returns the larger number of rows deleted in the two environments. */
  private async deleteChunk(tx: Transaction, table: string, scope: WorkspaceScope): Promise<number> {
    let largest = 0;
    await inEachEnvironment(tx, scope, async () => {
      largest = Math.max(largest, await this.rows.remove(tx, table, scope, CHUNK_ROWS));
    });
    return largest;
  }
}

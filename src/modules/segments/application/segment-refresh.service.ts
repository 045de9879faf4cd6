/**
 * Keeps the members of segments up to date. Touched contacts are decided within moments. All others are decided when
 * the whole segment is refreshed, since conditions on time may change without new data.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, isTimeout, type Transaction } from '../../../platform/database/database.js';
import { prepareTenantScan } from '../../../platform/database/tenant-scan.js';
import { Batches } from '../../dead-letters/application/batches.js';
import { failureOf } from '../../dead-letters/application/failure.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { SegmentSet } from '../domain/segment-set.js';
import { nextRefresh } from '../domain/next-refresh.js';
import { filterSql } from '../persistence/filter-sql.js';
import { REFRESH_PARAMETERS, SegmentMemberRepository } from '../persistence/segment-member.repository.js';
import { SegmentRefreshRepository, type DueRefresh } from '../persistence/segment-refresh.repository.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { DueRefreshesQueue, TouchedContactsQueue } from './segment-queues.js';
import { TouchedContactsService } from './touched-contacts.service.js';

/** Members of a deleted segment that are removed in one transaction. */
const DELETE_BATCH_MEMBERS = 10_000;
const TOUCHED_BATCH_CONTACTS = 500;

@Injectable()
export class SegmentRefreshService {
  constructor(
    private readonly database: Database,
    private readonly touched: TouchedContactsService,
    private readonly segments: SegmentRepository,
    private readonly members: SegmentMemberRepository,
    private readonly refreshes: SegmentRefreshRepository,
    private readonly clock: Clock,
    private readonly batches: Batches,
    private readonly deadLetters: DeadLetterList,
    private readonly touchedQueue: TouchedContactsQueue,
    private readonly refreshQueue: DueRefreshesQueue,
  ) {}

  /**
   * Decides touched contacts and refreshes due segments, one segment at a time with touched contacts in between,
   * until nothing is left or `mayContinue` returns false.
   * @returns whether work may be left.
   */
  async runDueWork(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    while (mayContinue()) {
      const outcome = { isBusy: false };
      const areTouchedLeft = await this.batches.run(
        scope,
        this.touchedQueue,
        { size: TOUCHED_BATCH_CONTACTS, mayContinue },
        async (limit, claim) => {
          const result = await this.touched.evaluateBatch(scope, limit, claim);
          outcome.isBusy = result === 'busy';
          return result === 'busy' ? { taken: 0, more: false } : result;
        },
      );
      // The worker that holds the turn continues, and the poller sends another wake-up.
      if (outcome.isBusy) return false;
      if (areTouchedLeft || !(await this.refreshNext(scope))) return areTouchedLeft;
    }
    return true;
  }

  /** Refreshes the segment that has been due longest. Returns whether others may be due. */
  private async refreshNext(scope: TenantScope): Promise<boolean> {
    let rounds = 0;
    return this.batches.run(
      scope,
      this.refreshQueue,
      { size: 1, mayContinue: () => rounds++ === 0 },
      async (_limit, claim) => {
        const attempt: { due?: DueRefresh | undefined } = {};
        try {
          return await this.database.inScope(scope, async (tx) => {
            if (!(await this.members.lock(tx, scope))) return { taken: 0, more: false };
            const due = await this.refreshes.due(tx, scope, this.clock.now());
            if (!due) return { taken: 0, more: false };
            await claim([due.segmentId]);
            attempt.due = due;
            await this.refresh(tx, scope, due);
            // While it was a dead letter, it may have been requested again, or deleted.
            await this.deadLetters.remove(tx, scope, 'segment_refresh', [due.segmentId]);
            return { taken: 1, more: true };
          });
        } catch (error) {
          if (attempt.due) await this.recordFailure(scope, attempt.due, error);
          throw error;
        }
      },
    );
  }

  private async refresh(tx: Transaction, scope: TenantScope, due: DueRefresh): Promise<void> {
    const { segmentId } = due;
    const now = this.clock.now();
    const segments = await this.segments.all(tx, scope);
    const segment = segments.find(({ id }) => id === segmentId);
    const set = new SegmentSet(segments);
    const filter = set.filterOf(segmentId);
    if (!segment || !filter) {
      const deleted = await this.members.deleteBatch(tx, scope, segmentId, DELETE_BATCH_MEMBERS);
      if (deleted < DELETE_BATCH_MEMBERS) await this.refreshes.remove(tx, scope, segmentId);
      return;
    }
    const compiled = filterSql(filter, {
      now,
      filterOf: set.filterOf,
      firstParameter: REFRESH_PARAMETERS + 1,
    });
    await prepareTenantScan(tx);
    const members = await this.members.refresh(tx, scope, segmentId, compiled, now);
    const next = nextRefresh({
      startedAt: now,
      endedAt: this.clock.now(),
      changedAt: segment.updatedAt,
      isTimeDependent: set.isTimeDependent(segmentId),
    });
    await this.refreshes.finish(tx, scope, due, { members, refreshedAt: now, next });
  }

  private async recordFailure(scope: TenantScope, { segmentId }: DueRefresh, error: unknown): Promise<void> {
    if (failureOf(error).kind === 'unreachable') return;
    const reason = reasonOf(error);
    await this.database.inScope(scope, (tx) => this.refreshes.recordError(tx, scope, segmentId, reason));
  }
}

/** The reason shown to the segment's owner. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError) return error.detail;
  return isTimeout(error)
    ? 'Evaluating the members took too long and will be retried in a few hours. Use fewer or simpler conditions.'
    : 'The members could not be evaluated.';
}

/**
 * Keeps the members of segments right: contacts about whom something was learned within moments, everybody else when
 * the time comes to look at the whole segment again, since time passes for those of whom nothing is heard.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  Database,
  isOutOfTime,
  isUnreachable,
  type Transaction,
} from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { SegmentSet } from '../domain/segment-set.js';
import { nextRefresh } from '../domain/next-refresh.js';
import { filterSql } from '../persistence/filter-sql.js';
import { REFRESH_PARAMETERS, SegmentMemberRepository } from '../persistence/segment-member.repository.js';
import { SegmentRefreshRepository, type DueRefresh } from '../persistence/segment-refresh.repository.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { TouchedContactsService } from './touched-contacts.service.js';

/** Members of a deleted segment that are forgotten in one transaction. */
const FORGOTTEN_AT_ONCE = 10_000;
/** After a failure, in milliseconds. */
const RETRY = 5 * 60_000;
/** After the database has given it up, so that a worker is busy with it for a small part of its time only. */
const RETRY_OF_COSTLY = 6 * 3_600_000;

@Injectable()
export class SegmentRefreshService {
  constructor(
    private readonly database: Database,
    private readonly touched: TouchedContactsService,
    private readonly segments: SegmentRepository,
    private readonly members: SegmentMemberRepository,
    private readonly refreshes: SegmentRefreshRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Decides touched contacts and refreshes due segments, one at a time and touched contacts in between, until none is
   * left or `mayGoOn` says stop.
   * @returns whether some may be left.
   */
  async bringUpToDate(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    while (mayGoOn()) {
      const touched = await this.touched.decideBatch(scope);
      // Whoever is at work will go on, and the sweeper rings again.
      if (touched === 'busy') return false;
      if (touched === 'done' && !(await this.refreshNext(scope))) return false;
    }
    return true;
  }

  /** Refreshes the segment that has been due longest; gives whether there was one. */
  private async refreshNext(scope: TenantScope): Promise<boolean> {
    const attempt: { due?: DueRefresh | undefined } = {};
    try {
      return await this.database.inScope(scope, async (tx) => {
        if (!(await this.members.lock(tx, scope))) return false;
        attempt.due = await this.refreshes.due(tx, scope, this.clock.now());
        if (attempt.due) await this.refresh(tx, scope, attempt.due);
        return attempt.due !== undefined;
      });
    } catch (error) {
      const { due } = attempt;
      if (!due || isUnreachable(error)) throw error;
      await this.noteFailure(scope, due, error);
      return true;
    }
  }

  private async refresh(tx: Transaction, scope: TenantScope, due: DueRefresh): Promise<void> {
    const { segmentId } = due;
    const now = this.clock.now();
    const segments = await this.segments.all(tx, scope);
    const segment = segments.find(({ id }) => id === segmentId);
    const set = new SegmentSet(segments);
    const filter = set.filterOf(segmentId);
    if (!segment || !filter) {
      const forgotten = await this.members.forget(tx, scope, segmentId, FORGOTTEN_AT_ONCE);
      if (forgotten < FORGOTTEN_AT_ONCE) await this.refreshes.remove(tx, scope, segmentId);
      return;
    }
    const compiled = filterSql(filter, {
      now,
      filterOf: set.filterOf,
      firstParameter: REFRESH_PARAMETERS + 1,
    });
    await this.members.planForAll(tx);
    const members = await this.members.refresh(tx, scope, segmentId, compiled, now);
    const next = nextRefresh({
      startedAt: now,
      endedAt: this.clock.now(),
      changedAt: segment.updatedAt,
      isTimeDependent: set.isTimeDependent(segmentId),
    });
    await this.refreshes.finish(tx, scope, due, { members, refreshedAt: now, next });
  }

  private async noteFailure(scope: TenantScope, due: DueRefresh, error: unknown): Promise<void> {
    const isOurs = !(error instanceof DomainError) && !isOutOfTime(error);
    if (isOurs)
      this.logger.error({ err: error, ...scope, segment: due.segmentId }, 'A segment could not be refreshed');
    const next = new Date(this.clock.now().getTime() + (isOutOfTime(error) ? RETRY_OF_COSTLY : RETRY));
    const detail = reasonOf(error);
    await this.database.inScope(scope, (tx) => this.refreshes.fail(tx, scope, due, detail, next));
  }
}

/** What the segment's owner is told. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError) return error.detail;
  return isOutOfTime(error)
    ? 'To look up the members took too long; it will be tried again in hours. Fewer or simpler conditions help.'
    : 'The members could not be looked up; it will be tried again.';
}

/**
 * Manages the segments of a workspace. A segment belongs to the workspace; its members are read in one environment.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import { sliceOf, type Slice } from '../../../kernel/page-cursor.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { readFilter } from '../domain/read-filter.js';
import { segmentIdIn, SegmentSet } from '../domain/segment-set.js';
import type { ListedSegment, NewSegment, Segment } from '../domain/segment.js';
import { SegmentRefreshRepository } from '../persistence/segment-refresh.repository.js';
import { SegmentRepository, type SegmentPage } from '../persistence/segment.repository.js';

const NEVER_REFRESHED = { memberCount: null, refreshedAt: null, refreshError: null } as const;

@Injectable()
export class SegmentService {
  constructor(
    private readonly database: Database,
    private readonly segments: SegmentRepository,
    private readonly refreshes: SegmentRefreshRepository,
    private readonly clock: Clock,
  ) {}

  /** A page of segments by name, and the total number. */
  async list(
    scope: TenantScope,
    page: SegmentPage,
  ): Promise<{ segments: Slice<ListedSegment>; total: number }> {
    // A text that PostgreSQL cannot store is part of no name.
    if (page.search !== null && !isStorableText(page.search))
      return { segments: sliceOf([], page.first), total: 0 };
    return this.database.listInScope(scope, async (tx) => {
      const { segments, total } = await this.segments.list(tx, scope, page);
      return { segments: sliceOf(segments, page.first), total };
    });
  }

  /**
   * Returns one segment.
   * @throws DomainError segment_not_found.
   */
  async get(scope: TenantScope, id: string): Promise<ListedSegment> {
    return this.database.inScope(scope, (tx) => this.find(tx, scope, id));
  }

  /**
   * The id of the segment with this id, in the caller's transaction.
   * @throws DomainError segment_not_found.
   */
  async idOf(tx: Transaction, scope: WorkspaceScope, id: string): Promise<string> {
    const stored = segmentIdIn(id);
    const exists = stored !== undefined && (await this.segments.existing(tx, scope, [stored])).has(stored);
    if (!exists) throw segmentNotFound(id);
    return stored;
  }

  /** Those of the ids, in stored form, that belong to a segment. */
  async existing(
    tx: Transaction,
    scope: WorkspaceScope,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return ids.length === 0 ? new Set() : this.segments.existing(tx, scope, ids);
  }

  /**
   * Creates a segment. Its members are computed in the background immediately.
   * @param actor who creates it; null for the operator.
   * @throws DomainError conflict for a name that is taken, invalid_field for a filter that names unknown segments.
   */
  async create(scope: WorkspaceScope, input: NewSegment, actor: string | null): Promise<ListedSegment> {
    return this.database.inScope(scope, async (tx) => {
      await this.segments.lock(tx, scope);
      return { ...(await this.add(tx, scope, input, actor)), ...NEVER_REFRESHED };
    });
  }

  /** The id of the segment with this name, which is created if there is none; an existing one does not change. */
  async ensure(scope: WorkspaceScope, input: NewSegment): Promise<string> {
    return this.database.inScope(scope, async (tx) => {
      await this.segments.lock(tx, scope);
      const existing = await this.segments.idByName(tx, scope, input.name);
      return existing ?? (await this.add(tx, scope, input, null)).id;
    });
  }

  /**
   * Changes a segment. The members of it, and of all segments whose filters lead to it, are computed again.
   * @param changes omitted members do not change.
   * @throws DomainError segment_not_found, conflict for a name that is taken, invalid_field for a filter that names
   *   unknown segments or leads back to the segment; as readFilter, for conditions that were stored under less strict
   *   rules.
   */
  async update(scope: TenantScope, id: string, changes: Partial<NewSegment>): Promise<ListedSegment> {
    return this.database.inScope(scope, async (tx) => {
      await this.segments.lock(tx, scope);
      const before = await this.find(tx, scope, id);
      const after = { ...before, ...changes, updatedAt: this.clock.now() };
      await this.assertNameFree(tx, scope, after.name, before.id);
      const set = new SegmentSet(await this.segments.all(tx, scope)).with(after);
      set.assertMeaningful(readFilter({ match: after.match, conditions: after.conditions }), after.id);
      await this.segments.update(tx, scope, after);
      await this.refreshes.request(tx, scope, set.dependentOn(after.id), after.updatedAt);
      return after;
    });
  }

  /**
   * Deletes a segment. It has no members from then on; their rows are removed in the background.
   * @throws DomainError segment_not_found, conflict if another segment's filter names it.
   */
  async remove(scope: TenantScope, id: string): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      await this.segments.lock(tx, scope);
      const segment = await this.find(tx, scope, id);
      new SegmentSet(await this.segments.all(tx, scope)).assertUnreferenced(segment.id);
      await this.segments.remove(tx, scope, segment.id);
      await this.refreshes.request(tx, scope, [segment.id], this.clock.now());
    });
  }

  private async find(tx: Transaction, scope: TenantScope, id: string): Promise<ListedSegment> {
    const stored = segmentIdIn(id);
    const segment = stored === undefined ? undefined : await this.segments.find(tx, scope, stored);
    if (!segment) throw segmentNotFound(id);
    return segment;
  }

  private async add(
    tx: Transaction,
    scope: WorkspaceScope,
    input: NewSegment,
    createdBy: string | null,
  ): Promise<Segment> {
    await this.assertNameFree(tx, scope, input.name);
    new SegmentSet(await this.segments.all(tx, scope)).assertMeaningful(
      readFilter({ match: input.match, conditions: input.conditions }),
    );
    const now = this.clock.now();
    const segment = { ...input, id: uuidv7(now.getTime()), createdBy, createdAt: now, updatedAt: now };
    await this.segments.add(tx, scope, segment);
    await this.refreshes.request(tx, scope, [segment.id], now);
    return segment;
  }

  private async assertNameFree(
    tx: Transaction,
    scope: WorkspaceScope,
    name: string,
    ownId?: string,
  ): Promise<void> {
    const taken = await this.segments.idByName(tx, scope, name);
    if (taken !== undefined && taken !== ownId)
      throw new DomainError('conflict', `A segment named "${name}" already exists.`);
  }
}

/** 404: the workspace has no such segment. */
export function segmentNotFound(id: string): DomainError {
  return new DomainError('segment_not_found', `No segment has the ID ${id}.`);
}

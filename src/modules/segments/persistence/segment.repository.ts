/** Segments of a workspace. */
import { Injectable } from '@nestjs/common';
import type { PageRequest } from '../../../kernel/page-cursor.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ListedSegment, Segment } from '../domain/segment.js';
import { SegmentEntity } from './segment.entity.js';

const FIELDS = `s.id, s.name, s.description, s.match, s.conditions, s.created_by AS "createdBy",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

const LISTED = `SELECT ${FIELDS}, r.members AS "memberCount", r.refreshed_at AS "refreshedAt", r.error AS "refreshError"
  FROM segments s LEFT JOIN segment_refreshes r
    ON r.workspace_id = s.workspace_id AND r.segment_id = s.id AND r.environment = $2
  WHERE s.workspace_id = $1`;

/** Filter of the list of segments. */
export interface SegmentPage extends PageRequest {
  /** Part of the name, case-insensitive. */
  readonly search: string | null;
}

@Injectable()
export class SegmentRepository {
  /**
   * Serializes changes to segments of the workspace, so that concurrent changes cannot create a circular reference.
   */
  async lock(tx: Transaction, scope: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `segments ${scope.workspaceId}`,
    ]);
  }

  /** All segments of the workspace. */
  async all(tx: Transaction, scope: WorkspaceScope): Promise<Segment[]> {
    return tx.query<Segment>(
      `SELECT ${FIELDS} FROM segments s WHERE s.workspace_id = $1 ORDER BY s.id`,
      [scope.workspaceId],
      'segments-all',
    );
  }

  /** One segment, with its number of members in the environment. */
  async find(tx: Transaction, scope: TenantScope, id: string): Promise<ListedSegment | undefined> {
    const [segment] = await tx.query<ListedSegment>(`${LISTED} AND s.id = $3`, [
      scope.workspaceId,
      scope.environment,
      id,
    ]);
    return segment;
  }

  /** Those of the ids that belong to segments. */
  async existing(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<Set<string>> {
    const found = await tx.query<{ id: string }>(
      'SELECT id FROM segments WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** A page of segments by name, with one more if there is one, and the total number. */
  async list(
    tx: Transaction,
    scope: TenantScope,
    { search, first, after }: SegmentPage,
  ): Promise<{ segments: ListedSegment[]; total: number }> {
    const named = `($3::text IS NULL OR strpos(lower(s.name), lower($3)) > 0)`;
    const segments = await tx.query<ListedSegment>(
      `${LISTED} AND ${named} AND ($5::text IS NULL OR (lower(s.name), s.id) > (lower($5), $6::uuid))
       ORDER BY lower(s.name), s.id LIMIT $4`,
      [scope.workspaceId, scope.environment, search, first + 1, after?.key ?? null, after?.id ?? null],
    );
    const [row] = await tx.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM segments s WHERE s.workspace_id = $1 AND ${named.replaceAll('$3', '$2')}`,
      [scope.workspaceId, search],
    );
    return { segments, total: row?.total ?? 0 };
  }

  /** The id of the segment with this name; undefined if there is none. */
  async idByName(tx: Transaction, scope: WorkspaceScope, name: string): Promise<string | undefined> {
    const [row] = await tx.query<{ id: string }>(
      'SELECT id FROM segments WHERE workspace_id = $1 AND name = $2',
      [scope.workspaceId, name],
    );
    return row?.id;
  }

  async add(tx: Transaction, { workspaceId }: WorkspaceScope, segment: Segment): Promise<void> {
    await tx.manager.insert(SegmentEntity, { ...segment, workspaceId });
  }

  async update(tx: Transaction, { workspaceId }: WorkspaceScope, segment: Segment): Promise<void> {
    const { id, name, description, match, conditions, updatedAt } = segment;
    const changed = { name, description, match, conditions, updatedAt };
    await tx.manager.update(SegmentEntity, { workspaceId, id }, changed);
  }

  async remove(tx: Transaction, { workspaceId }: WorkspaceScope, id: string): Promise<void> {
    await tx.manager.delete(SegmentEntity, { workspaceId, id });
  }
}

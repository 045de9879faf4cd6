/** Current and former members of segments. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { tenantSql } from '../../../platform/database/reader-database.js';
import { membersSql, type FilterSql } from './filter-sql.js';

export interface Membership {
  readonly segmentId: string;
  readonly contactId: string;
}

export interface DatedMembership extends Membership {
  readonly enteredAt: Date;
}

/** Number of parameters before those of the filter in `refresh`. */
export const REFRESH_PARAMETERS = 4;

@Injectable()
export class SegmentMemberRepository {
  /**
   * Tries to become the only writer of the tenant's members until the transaction ends; returns whether it succeeded.
   */
  async lock(tx: Transaction, scope: TenantScope): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [`segment members ${scope.workspaceId} ${scope.environment}`],
    );
    return row?.locked ?? false;
  }

  /**
   * Sets the members of a segment to the contacts that match the filter. Returns their number. The filter's
   * parameters start after `REFRESH_PARAMETERS`.
   */
  async refresh(
    tx: Transaction,
    scope: TenantScope,
    segmentId: string,
    filter: FilterSql,
    now: Date,
  ): Promise<number> {
    const [row] = await tx.query<{ members: number }>(
      `WITH inside AS MATERIALIZED (${tenantSql(scope, membersSql(filter))}),
       entered AS (
         INSERT INTO segment_members (workspace_id, environment, segment_id, contact_id, entered_at)
         SELECT $1::uuid, $2::text, $3::uuid, i.id, $4::timestamptz FROM inside i LEFT JOIN segment_members k
           ON k.workspace_id = $1 AND k.segment_id = $3 AND k.contact_id = i.id AND k.left_at IS NULL
         WHERE k.contact_id IS NULL ORDER BY i.id
         ON CONFLICT (workspace_id, segment_id, contact_id) DO UPDATE SET entered_at = excluded.entered_at, left_at = NULL),
       gone AS (
         UPDATE segment_members m SET left_at = $4
         WHERE m.workspace_id = $1 AND m.environment = $2 AND m.segment_id = $3 AND m.left_at IS NULL
           AND NOT EXISTS (SELECT FROM inside i WHERE i.id = m.contact_id))
       SELECT count(*)::int AS members FROM inside`,
      [scope.workspaceId, scope.environment, segmentId, now, ...filter.values],
    );
    return row?.members ?? 0;
  }

  /**
   * Those of the contacts that match a filter. The first parameter is the contacts; the filter's parameters start at
   * the second.
   */
  async matchingContacts(
    tx: Transaction,
    scope: TenantScope,
    filter: FilterSql,
    contactIds: readonly string[],
  ): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }>(
      tenantSql(scope, `${membersSql(filter)} AND c.id = ANY ($1::uuid[])`),
      [contactIds, ...filter.values],
    );
    return new Set(rows.map((row) => row.id));
  }

  /** The segments that the contacts are in, as stored. */
  async of(tx: Transaction, scope: TenantScope, contactIds: readonly string[]): Promise<DatedMembership[]> {
    return tx.query<DatedMembership>(
      `SELECT segment_id AS "segmentId", contact_id AS "contactId", entered_at AS "enteredAt" FROM segment_members
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = ANY ($3::uuid[]) AND left_at IS NULL`,
      [scope.workspaceId, scope.environment, contactIds],
      'segment-members-of',
    );
  }

  async enter(
    tx: Transaction,
    scope: TenantScope,
    memberships: readonly Membership[],
    now: Date,
  ): Promise<void> {
    if (memberships.length === 0) return;
    await tx.execute(
      `INSERT INTO segment_members (workspace_id, environment, segment_id, contact_id, entered_at)
       SELECT $1, $2, u.segment_id, u.contact_id, $5 FROM unnest($3::uuid[], $4::uuid[]) AS u(segment_id, contact_id)
       ON CONFLICT (workspace_id, segment_id, contact_id) DO UPDATE SET entered_at = excluded.entered_at, left_at = NULL`,
      membershipValues(scope, memberships, now),
      'segment-members-enter',
    );
  }

  async leave(
    tx: Transaction,
    scope: TenantScope,
    memberships: readonly Membership[],
    now: Date,
  ): Promise<void> {
    if (memberships.length === 0) return;
    await tx.execute(
      `UPDATE segment_members m SET left_at = $5 FROM unnest($3::uuid[], $4::uuid[]) AS u(segment_id, contact_id)
       WHERE m.workspace_id = $1 AND m.environment = $2 AND m.segment_id = u.segment_id AND m.contact_id = u.contact_id`,
      membershipValues(scope, memberships, now),
      'segment-members-leave',
    );
  }

  /** Those of the contacts that are in the segment; a deleted segment has none. */
  async membersAmong(
    tx: Transaction,
    scope: TenantScope,
    segmentId: string,
    contactIds: readonly string[],
  ): Promise<Set<string>> {
    const rows = await tx.query<{ contact_id: string }>(
      `SELECT contact_id FROM segment_members
       WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3 AND contact_id = ANY ($4::uuid[])
         AND left_at IS NULL AND EXISTS (SELECT FROM segments WHERE workspace_id = $1 AND id = $3)`,
      [scope.workspaceId, scope.environment, segmentId, contactIds],
      'segment-members-which',
    );
    return new Set(rows.map((row) => row.contact_id));
  }

  /** A page of members of each segment, newest contacts first; with `after`, a contact, only older ones. */
  async pages(
    tx: Transaction,
    scope: TenantScope,
    segmentIds: readonly string[],
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<DatedMembership[]> {
    return tx.query<DatedMembership>(
      `SELECT m.* FROM unnest($3::uuid[]) AS s(id) CROSS JOIN LATERAL (
         SELECT segment_id AS "segmentId", contact_id AS "contactId", entered_at AS "enteredAt" FROM segment_members
         WHERE workspace_id = $1 AND environment = $2 AND segment_id = s.id AND left_at IS NULL
           AND ($5::uuid IS NULL OR contact_id < $5) ORDER BY contact_id DESC LIMIT $4) AS m`,
      [scope.workspaceId, scope.environment, segmentIds, limit, after],
    );
  }

  /** Removes members of a deleted segment. Returns how many. */
  async deleteBatch(tx: Transaction, scope: TenantScope, segmentId: string, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM segment_members WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3
         AND contact_id = ANY (ARRAY(SELECT contact_id FROM segment_members
           WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3 LIMIT $4))`,
      [scope.workspaceId, scope.environment, segmentId, limit],
    );
  }
}

function membershipValues(scope: TenantScope, memberships: readonly Membership[], now: Date): unknown[] {
  return [
    scope.workspaceId,
    scope.environment,
    memberships.map(({ segmentId }) => segmentId),
    memberships.map(({ contactId }) => contactId),
    now,
  ];
}

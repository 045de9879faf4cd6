/** Pages of a tenant's contacts, and those of a page that match a filter. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { tenantSql } from '../../../platform/database/reader-database.js';
import type { AudienceMember } from '../domain/audience.js';
import { whereSql, type FilterSql } from './filter-sql.js';

export interface PagedContact {
  readonly id: string;
  readonly externalId: string;
}

@Injectable()
export class SegmentAudienceRepository {
  /** The next contacts after one, in the order of their ids; from the beginning if it is null. */
  async page(
    tx: Transaction,
    scope: TenantScope,
    after: string | null,
    limit: number,
  ): Promise<PagedContact[]> {
    return tx.query<PagedContact & object>(
      `SELECT id, external_id AS "externalId" FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4`,
      [scope.workspaceId, scope.environment, after, limit],
      'segment-audience-page',
    );
  }

  /**
   * Those of the contacts that match a filter, in the order of their ids. The filter's parameters start at the
   * second.
   */
  async membersAmong(
    tx: Transaction,
    scope: TenantScope,
    filter: FilterSql,
    contactIds: readonly string[],
  ): Promise<AudienceMember[]> {
    return tx.query<AudienceMember & object>(
      tenantSql(
        scope,
        `SELECT c.id, c.external_id AS "externalId", c.email, c.subscription_status AS "subscriptionStatus", c.timezone
         ${whereSql(filter)} AND c.id = ANY ($1::uuid[]) ORDER BY c.id`,
      ),
      [contactIds, ...filter.values],
    );
  }

  /** The contact a number of positions after another, in the order of their ids; null if there are fewer. */
  async bound(
    tx: Transaction,
    scope: TenantScope,
    after: string | null,
    limit: number,
  ): Promise<string | null> {
    const [row] = await tx.query<{ readonly id: string }>(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND environment = $2 AND ($3::uuid IS NULL OR id > $3)
       ORDER BY id LIMIT 1 OFFSET $4`,
      [scope.workspaceId, scope.environment, after, limit - 1],
      'segment-audience-bound',
    );
    return row?.id ?? null;
  }

  /**
   * The contacts that match a filter, after one contact and up to another, in the order of their ids; null for no
   * bound. The filter's parameters start at the third.
   */
  async between(
    tx: Transaction,
    scope: TenantScope,
    filter: FilterSql,
    { after, upTo }: { readonly after: string | null; readonly upTo: string | null },
  ): Promise<AudienceMember[]> {
    return tx.query<AudienceMember & object>(
      tenantSql(
        scope,
        `SELECT c.id, c.external_id AS "externalId", c.email, c.subscription_status AS "subscriptionStatus", c.timezone
         ${whereSql(filter)} AND ($1::uuid IS NULL OR c.id > $1) AND ($2::uuid IS NULL OR c.id <= $2) ORDER BY c.id`,
      ),
      [after, upTo, ...filter.values],
    );
  }
}

/** The contacts of a tenant, page after page, and those of a page that a filter finds. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ofTenant } from '../../../platform/database/survey.js';
import type { AudienceMember } from '../domain/audience.js';
import { whereSql, type FilterSql } from './filter-sql.js';

export interface PagedContact {
  readonly id: string;
  readonly externalId: string;
}

@Injectable()
export class SegmentAudienceRepository {
  /** The next contacts behind one, in the order of their ids; of all of them where there is none before. */
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

  /** Those of the contacts that a filter finds, in the order of their ids. Its parameters start at the second. */
  async found(
    tx: Transaction,
    scope: TenantScope,
    filter: FilterSql,
    contactIds: readonly string[],
  ): Promise<AudienceMember[]> {
    return tx.query<AudienceMember & object>(
      ofTenant(
        scope,
        `SELECT c.id, c.external_id AS "externalId", c.email, c.subscription_status AS "subscriptionStatus", c.timezone
         ${whereSql(filter)} AND c.id = ANY ($1::uuid[]) ORDER BY c.id`,
      ),
      [contactIds, ...filter.values],
    );
  }

  /** The contact so many behind one, in the order of their ids; null where there are fewer. */
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
   * Those whom a filter finds behind one contact and up to another one, in the order of their ids; null for no bound. The
   * filter's parameters start at the third.
   */
  async between(
    tx: Transaction,
    scope: TenantScope,
    filter: FilterSql,
    { after, upTo }: { readonly after: string | null; readonly upTo: string | null },
  ): Promise<AudienceMember[]> {
    return tx.query<AudienceMember & object>(
      ofTenant(
        scope,
        `SELECT c.id, c.external_id AS "externalId", c.email, c.subscription_status AS "subscriptionStatus", c.timezone
         ${whereSql(filter)} AND ($1::uuid IS NULL OR c.id > $1) AND ($2::uuid IS NULL OR c.id <= $2) ORDER BY c.id`,
      ),
      [after, upTo, ...filter.values],
    );
  }
}

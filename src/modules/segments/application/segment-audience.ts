/** Pages through the contacts of a segment for bulk sends. It evaluates the filter itself, not the stored members. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepareTenantScan } from '../../../platform/database/tenant-scan.js';
import type { AudiencePage } from '../domain/audience.js';
import { filterSql } from '../persistence/filter-sql.js';
import { SegmentAudienceRepository } from '../persistence/segment-audience.repository.js';
import { SegmentCatalogue } from './segment-catalogue.js';

@Injectable()
export class SegmentAudience {
  constructor(
    private readonly catalogue: SegmentCatalogue,
    private readonly audience: SegmentAudienceRepository,
  ) {}

  /**
   * The next chunk of the segment's contacts, as the transaction sees them.
   * @param after the last contact that was checked before; null at the beginning.
   * @param limit number of contacts to check.
   * @param now the time to which conditions about time refer.
   * @returns undefined if there is no such segment.
   */
  async page(
    tx: Transaction,
    scope: TenantScope,
    segmentId: string,
    { after, limit }: { readonly after: string | null; readonly limit: number },
    now: Date,
  ): Promise<AudiencePage | undefined> {
    const set = await this.catalogue.all(tx, scope);
    const filter = set.filterOf(segmentId);
    if (!filter) return undefined;
    const unrestricted = filterSql(filter, { now, filterOf: set.filterOf, firstParameter: 3 });
    if (unrestricted.joins === '') {
      const upTo = await this.audience.bound(tx, scope, after, limit);
      return { members: await this.audience.between(tx, scope, unrestricted, { after, upTo }), last: upTo };
    }
    // Conditions on events are evaluated only for the contacts of the page.
    const pageContacts = await this.audience.page(tx, scope, after, limit);
    if (pageContacts.length === 0) return { members: [], last: null };
    const externalIds = pageContacts.map(({ externalId }) => externalId);
    const compiled = filterSql(filter, { now, filterOf: set.filterOf, firstParameter: 2, externalIds });
    await prepareTenantScan(tx);
    const members = await this.audience.membersAmong(
      tx,
      scope,
      compiled,
      pageContacts.map(({ id }) => id),
    );
    return { members, last: pageContacts.length < limit ? null : (pageContacts.at(-1)?.id ?? null) };
  }
}

/**
 * Marks contacts about whom something was learned, in the transaction in which it is stored, so that a worker asks
 * again which segments they are in. Costs nothing in a workspace without segments.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import { SegmentSet } from '../domain/segment-set.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { SegmentTouchRepository } from '../persistence/segment-touch.repository.js';

/** Workspaces whose questions are kept in memory. */
const MOST_KEPT = 10_000;
/** A workspace has one entry, under this name. */
const KEPT_AS = 'asked';

/** What a workspace's segments ask about. */
interface Asked {
  readonly anything: boolean;
  readonly eventNames: ReadonlySet<string>;
}

const NOTHING: Asked = { anything: false, eventNames: new Set() };

@Injectable()
export class SegmentTouches {
  private readonly cache: TenantCache<Asked>;

  constructor(
    private readonly segments: SegmentRepository,
    private readonly touches: SegmentTouchRepository,
    feed: ChangeFeed,
  ) {
    this.cache = new TenantCache(feed, 'segments', { capacity: MOST_KEPT });
  }

  /** Marks contacts of whom something else is known now. */
  async changed(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    now: Date,
  ): Promise<void> {
    if (contactIds.length > 0 && (await this.asked(tx, scope)).anything)
      await this.touches.touch(tx, scope, [...new Set(contactIds)], now);
  }

  /** Marks the contacts of those events that a segment asks about. */
  async done(
    tx: Transaction,
    scope: TenantScope,
    events: readonly { readonly name: string; readonly contactId: string }[],
    now: Date,
  ): Promise<void> {
    const { eventNames } = await this.asked(tx, scope);
    const contactIds = events.filter(({ name }) => eventNames.has(name)).map(({ contactId }) => contactId);
    if (contactIds.length > 0) await this.touches.touch(tx, scope, [...new Set(contactIds)], now);
  }

  private async asked(tx: Transaction, scope: TenantScope): Promise<Asked> {
    const found = await this.cache.many(scope.workspaceId, [KEPT_AS], async () => {
      const segments = await this.segments.all(tx, scope);
      const eventNames = new SegmentSet(segments).eventNames();
      return new Map([[KEPT_AS, { anything: segments.length > 0, eventNames }]]);
    });
    return found.get(KEPT_AS) ?? NOTHING;
  }
}

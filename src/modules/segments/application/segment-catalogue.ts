/**
 * The segments of a workspace for workers, which read them for every batch: cached in the process until one of them
 * changes.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import { SegmentSet } from '../domain/segment-set.js';
import { SegmentRepository } from '../persistence/segment.repository.js';

/** Capacity of the cache in characters of filters, and the minimum that each workspace counts for. */
const CACHE_CAPACITY_CHARACTERS = 32 * 1024 * 1024;
const MIN_ENTRY_CHARACTERS = 1_024;
/** The cache key; a workspace has one entry. */
const CACHE_KEY = 'segments';

interface CachedSegments {
  readonly set: SegmentSet;
  readonly size: number;
}

@Injectable()
export class SegmentCatalogue {
  private readonly cache: TenantCache<CachedSegments>;

  constructor(
    private readonly segments: SegmentRepository,
    feed: ChangeFeed,
  ) {
    this.cache = new TenantCache(feed, 'segments', {
      capacity: CACHE_CAPACITY_CHARACTERS,
      weigh: ({ size }) => size,
    });
  }

  /** All segments of the workspace. */
  async all(tx: Transaction, scope: WorkspaceScope): Promise<SegmentSet> {
    const found = await this.cache.getMany(scope.workspaceId, [CACHE_KEY], async () => {
      const segments = await this.segments.all(tx, scope);
      const size = segments.reduce(
        (sum, { conditions }) => sum + JSON.stringify(conditions).length,
        MIN_ENTRY_CHARACTERS,
      );
      return new Map([[CACHE_KEY, { set: new SegmentSet(segments), size }]]);
    });
    return found.get(CACHE_KEY)?.set ?? new SegmentSet([]);
  }
}

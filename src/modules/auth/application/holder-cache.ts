/**
 * Caches holders of API keys by the digest of the key, so that a known key needs no query. Entries are removed when
 * the change feed reports a change of a key or the workspace, when the key expires, and after a minute in any case. A
 * result is not cached if a change arrived while it was being loaded, nor if the key is unknown.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Established } from './established.js';

/** Tables from which a holder is built. */
const TABLES: readonly string[] = ['api_keys', 'workspaces'];

/** Maximum lifetime of an entry in milliseconds, in case a notification of a change is lost. */
const LIFE = 60_000;
/** The least recently used entries are removed first. */
const MOST_ENTRIES = 10_000;

export class HolderCache {
  private readonly entries: LRUCache<string, Established>;
  private readonly loading = new Map<string, Promise<Established | undefined>>();
  private changes = 0;

  /** @param now real time in milliseconds. */
  constructor(
    feed: Pick<ChangeFeed, 'listen'>,
    private readonly now: () => number = Date.now,
  ) {
    this.entries = new LRUCache({ max: MOST_ENTRIES, ttl: LIFE, ttlResolution: 0, perf: { now } });
    feed.listen((change) => {
      if (change === 'everything') this.drop(undefined);
      else if (TABLES.includes(change.table)) this.drop(change.workspaceId);
    });
  }

  /** The cached holder of the digest. */
  get(digest: string): Established | undefined {
    const holder = this.entries.get(digest);
    return holder?.until && holder.until.getTime() <= this.now() ? undefined : holder;
  }

  /** The cached holder, or the result of `load`. Concurrent callers share one load. */
  async getOrLoad(
    digest: string,
    load: () => Promise<Established | undefined>,
  ): Promise<Established | undefined> {
    const held = this.get(digest);
    if (held) return held;
    let loading = this.loading.get(digest);
    if (!loading) {
      loading = this.load(digest, load).finally(() => {
        if (this.loading.get(digest) === loading) this.loading.delete(digest);
      });
      this.loading.set(digest, loading);
    }
    return loading;
  }

  private async load(
    digest: string,
    load: () => Promise<Established | undefined>,
  ): Promise<Established | undefined> {
    const changes = this.changes;
    const holder = await load();
    if (!holder || changes !== this.changes) return holder;
    this.entries.set(digest, holder);
    return holder;
  }

  private drop(workspaceId: string | undefined): void {
    this.changes++;
    // From now on, no caller may receive a result that was loaded before the change.
    this.loading.clear();
    for (const [digest, holder] of [...this.entries.entries()])
      if (workspaceId === undefined || holder.principal.workspaceId === workspaceId)
        this.entries.delete(digest);
  }
}

/**
 * Holders of API keys that a process has met, by the digest of the key, so that a known one passes without a look at
 * the database. They are forgotten when the change feed tells of a change to a key or the workspace, when the key ends,
 * and after a minute in any case; what a change has overtaken while it was being read is not kept, and neither is that a key is
 * not known.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Established } from './established.js';

/** Tables that a holder is made from. */
const TABLES: readonly string[] = ['api_keys', 'workspaces'];

/** Longest life of an entry in milliseconds, for the case that news of a change were lost. */
const LIFE = 60_000;
/** What was used longest ago goes first. */
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

  /** The holder that is kept under the digest. */
  get(digest: string): Established | undefined {
    const holder = this.entries.get(digest);
    return holder?.until && holder.until.getTime() <= this.now() ? undefined : holder;
  }

  /** The holder that is kept, or else the one that `load` gives; callers who ask at once share one load. */
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
    // Whoever asks from now on must not be given what was being read before the change.
    this.loading.clear();
    for (const [digest, holder] of [...this.entries.entries()])
      if (workspaceId === undefined || holder.principal.workspaceId === workspaceId)
        this.entries.delete(digest);
  }
}

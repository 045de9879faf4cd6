/**
 * Caches holders of API keys by the digest of the key, so that a known key needs no query. Entries are removed when
 * the change feed reports a change of a key or the workspace, when the key expires, and after a minute in any case. A
 * result is not cached if a change arrived while it was being loaded, nor if the key is unknown.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from '../../../platform/database/change-feed.js';
import type { Principal } from '../../../kernel/principal.js';

/** What the guard knows of an authenticated caller. */
export interface AuthenticatedCaller {
  readonly principal: Principal;
  /** The caller's workspace is read-only. */
  readonly suspended: boolean;
  /** When the credentials expire, if they were issued here and expire. */
  readonly until?: Date;
}

/** Tables from which a holder is built. */
const SOURCE_TABLES: readonly string[] = ['api_keys', 'workspaces'];

/** Maximum lifetime of an entry in milliseconds, in case a notification of a change is lost. */
const ENTRY_TTL_MS = 60_000;
/** The least recently used entries are removed first. */
const MAX_ENTRIES = 10_000;

export class KeyCallerCache {
  private readonly entries: LRUCache<string, AuthenticatedCaller>;
  private readonly loading = new Map<string, Promise<AuthenticatedCaller | undefined>>();
  private changes = 0;

  /** @param now real time in milliseconds. */
  constructor(
    feed: Pick<ChangeFeed, 'listen'>,
    private readonly now: () => number = Date.now,
  ) {
    this.entries = new LRUCache({ max: MAX_ENTRIES, ttl: ENTRY_TTL_MS, ttlResolution: 0, perf: { now } });
    feed.listen((change) => {
      if (change === 'everything') this.invalidate(undefined);
      else if (SOURCE_TABLES.includes(change.table)) this.invalidate(change.workspaceId);
    });
  }

  /** The cached holder of the digest. */
  get(digest: string): AuthenticatedCaller | undefined {
    const caller = this.entries.get(digest);
    return caller?.until && caller.until.getTime() <= this.now() ? undefined : caller;
  }

  /** The cached holder, or the result of `load`. Concurrent callers share one load. */
  async getOrLoad(
    digest: string,
    load: () => Promise<AuthenticatedCaller | undefined>,
  ): Promise<AuthenticatedCaller | undefined> {
    const cached = this.get(digest);
    if (cached) return cached;
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
    load: () => Promise<AuthenticatedCaller | undefined>,
  ): Promise<AuthenticatedCaller | undefined> {
    const changes = this.changes;
    const caller = await load();
    if (!caller || changes !== this.changes) return caller;
    this.entries.set(digest, caller);
    return caller;
  }

  private invalidate(workspaceId: string | undefined): void {
    this.changes++;
    // From now on, no caller may receive a result that was loaded before the change.
    this.loading.clear();
    for (const [digest, caller] of [...this.entries.entries()])
      if (workspaceId === undefined || caller.principal.workspaceId === workspaceId)
        this.entries.delete(digest);
  }
}

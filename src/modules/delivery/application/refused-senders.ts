/**
 * Tenants that a transport refuses as senders, as far as its answers show it. Their mail avoids the transport for a
 * while, with growing pauses. Other tenants are not affected.
 */
import { LRUCache } from 'lru-cache';

/** Maximum of tenants that are kept. The least recently used are forgotten. */
const MAX_TENANTS = 10_000;
const INITIAL_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export class RefusedSenders {
  private readonly refusals = new LRUCache<string, { times: number; until: number }>({ max: MAX_TENANTS });

  /** Refusals of messages in flight together count as one. */
  recordRefusal(tenant: string, now: Date): void {
    if (this.isRefused(tenant, now)) return;
    const times = this.refusals.get(tenant)?.times ?? 0;
    const pause = Math.min(INITIAL_PAUSE_MS * 2 ** times, MAX_PAUSE_MS);
    this.refusals.set(tenant, { times: times + 1, until: now.getTime() + pause });
  }

  /** Records that the transport answered to a message of the tenant. */
  recordAnswer(tenant: string): void {
    this.refusals.delete(tenant);
  }

  isRefused(tenant: string, now: Date): boolean {
    return now.getTime() < (this.refusals.get(tenant)?.until ?? 0);
  }
}

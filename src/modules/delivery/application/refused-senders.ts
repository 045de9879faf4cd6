/**
 * Whom a transport refuses as a sender, as far as it can be told: their mail leaves it alone for a while, ever longer, and
 * nobody else's does.
 */
import { LRUCache } from 'lru-cache';

/** Tenants that are remembered; of more, those that were asked for longest ago begin anew. */
const MOST_TENANTS = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

export class RefusedSenders {
  private readonly refusals = new LRUCache<string, { times: number; until: number }>({ max: MOST_TENANTS });

  /** Refusals of messages that were under way together count as one. */
  refused(tenant: string, now: Date): void {
    if (this.isRefused(tenant, now)) return;
    const times = this.refusals.get(tenant)?.times ?? 0;
    const pause = Math.min(FIRST_PAUSE * 2 ** times, LONGEST_PAUSE);
    this.refusals.set(tenant, { times: times + 1, until: now.getTime() + pause });
  }

  /** The transport has answered to a message of the tenant's. */
  answered(tenant: string): void {
    this.refusals.delete(tenant);
  }

  isRefused(tenant: string, now: Date): boolean {
    return now.getTime() < (this.refusals.get(tenant)?.until ?? 0);
  }
}

/**
 * What this process knows of recipient domains for one transport: which of them refuse mail for now, and how many
 * messages to each are in flight. Mail to a refusing domain waits, with growing pauses, and is then probed with one
 * message, then two, four and so on.
 * Refusals that may concern single mailboxes pause mail only while there is no other answer: a server that is busy at
 * times, or greylists, still gets the mail that it accepts. Such a pause applies only to the tenant that got the
 * refusals.
 * A domain that answers slowly leaves lanes to the others. Waiting messages are in the queue, so lost knowledge is
 * simply learned again.
 */
import { LRUCache } from 'lru-cache';
import type { DomainRefusal } from '../domain/failed-attempt.js';

/** Maximum of domains, and domains of a tenant, whose pauses are kept. The least recently used are forgotten. */
const MAX_DOMAINS = 10_000;

const INITIAL_PAUSE_MS = 10_000;

/** How refusals of a kind pause mail. */
interface PauseRules {
  /** A pause starts after this number of refusals without another answer between them. */
  readonly afterRefusals: number;
  /** Milliseconds of the longest pause. */
  readonly maxPauseMs: number;
  /** Messages that may be tried concurrently after a pause. */
  readonly probes: number;
}

const PAUSE_RULES: Readonly<Record<DomainRefusal, PauseRules>> = {
  rate: { afterRefusals: 1, maxPauseMs: 15 * 60_000, probes: 1 },
  // A greylist accepts only recipients that it has refused before, which is why many are tried, and soon.
  busy: { afterRefusals: 3, maxPauseMs: 60_000, probes: 16 },
};

/** Milliseconds after which a message that found a probe in progress checks again. */
const PROBE_RECHECK_MS = 5_000;
/** A domain is slow when a message to it has been in flight for this many milliseconds of real time. */
const SLOW_AFTER_MS = 5_000;
/** The share of lanes that a slow domain may use. */
const SLOW_DOMAIN_SHARE = 0.75;

interface DomainBackoff {
  /** Refusals without another answer between them. */
  consecutiveRefusals: number;
  pauseCount: number;
  pausedUntil: number;
  /** Messages that may be in flight concurrently. */
  maxInFlight: number;
}

/** When each message of a domain in flight started, in milliseconds of real time, earliest first. */
type InFlight = Map<object, number>;

/** How many lanes there are, and how many of them belong to the tenant. */
export interface SlotShares {
  readonly all: number;
  readonly own: number;
}

export type DomainAdmission =
  | { readonly kind: 'go'; readonly leave: () => void }
  /** Not before `until`, in milliseconds of the product's clock. */
  | { readonly kind: 'wait'; readonly until: number; readonly reason: 'refused' | 'slow' };

export class RecipientDomains {
  private readonly backoffs = new LRUCache<string, DomainBackoff>({ max: MAX_DOMAINS });
  private readonly inFlight = new Map<string, InFlight>();

  /** @param elapsed milliseconds of real time from any starting point. */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /**
   * Whether a message to the domain may be attempted now. If so, it is in flight until it leaves.
   * @param tenant the tenant of the message.
   * @param isLastChance whether the message would otherwise be given up: every message is tried at least once.
   */
  admit(
    domain: string,
    tenant: string,
    shares: SlotShares,
    now: Date,
    isLastChance = false,
  ): DomainAdmission {
    const keys = keysOf(domain, tenant);
    const [, own] = keys;
    const until = isLastChance ? undefined : this.pausedUntil(keys, now.getTime());
    if (until !== undefined) return { kind: 'wait', until, reason: 'refused' };
    const isSlow =
      this.isTooSlow(this.inFlight.get(domain), shares.all) ||
      this.isTooSlow(this.inFlight.get(own), shares.own);
    if (isSlow && !isLastChance)
      return { kind: 'wait', until: now.getTime() + PROBE_RECHECK_MS, reason: 'slow' };
    const ticket = {};
    for (const key of keys) this.add(key, ticket);
    return {
      kind: 'go',
      leave: () => {
        for (const key of keys) this.remove(key, ticket);
      },
    };
  }

  /**
   * Records that a server refused a tenant's message to the domain. Refusals of messages in flight together count as
   * one.
   */
  recordRefusal(domain: string, tenant: string, refusal: DomainRefusal, now: Date): void {
    const [all, own] = keysOf(domain, tenant);
    const key = refusal === 'rate' ? all : own;
    const { afterRefusals, maxPauseMs, probes } = PAUSE_RULES[refusal];
    const backoff = this.backoffs.get(key) ?? {
      consecutiveRefusals: 0,
      pauseCount: 0,
      pausedUntil: 0,
      maxInFlight: probes,
    };
    this.backoffs.set(key, backoff);
    const time = now.getTime();
    if (time < backoff.pausedUntil || ++backoff.consecutiveRefusals < afterRefusals) return;
    backoff.pausedUntil = time + Math.min(INITIAL_PAUSE_MS * 2 ** backoff.pauseCount, maxPauseMs);
    backoff.pauseCount++;
    backoff.maxInFlight = probes;
  }

  /** Records that a server gave any other answer to a tenant's message to the domain. */
  recordAnswer(domain: string, tenant: string, now: Date, slotCount: number): void {
    const [all, own] = keysOf(domain, tenant);
    // Refusals of single mailboxes did not concern the whole domain.
    this.backoffs.delete(own);
    const backoff = this.backoffs.get(all);
    if (!backoff || now.getTime() < backoff.pausedUntil) return;
    backoff.maxInFlight *= 2;
    // The server accepts some mail: the next pause is not longer than the last one.
    backoff.pauseCount = Math.max(1, backoff.pauseCount - 1);
    if (backoff.maxInFlight >= slotCount) this.backoffs.delete(all);
  }

  /** Until when mail with these keys waits, in milliseconds; undefined when it may go. */
  private pausedUntil(keys: readonly string[], time: number): number | undefined {
    for (const key of keys) {
      const backoff = this.backoffs.get(key);
      if (backoff && time < backoff.pausedUntil) return backoff.pausedUntil;
      if (backoff && backoff.pauseCount > 0 && (this.inFlight.get(key)?.size ?? 0) >= backoff.maxInFlight)
        return time + PROBE_RECHECK_MS;
    }
    return undefined;
  }

  private isTooSlow(inFlight: InFlight | undefined, slotCount: number): boolean {
    if (!inFlight || inFlight.size < Math.max(1, Math.floor(slotCount * SLOW_DOMAIN_SHARE))) return false;
    const [earliest] = inFlight.values();
    return earliest !== undefined && this.elapsed() - earliest >= SLOW_AFTER_MS;
  }

  private add(key: string, ticket: object): void {
    const present = this.inFlight.get(key);
    if (present) present.set(ticket, this.elapsed());
    else this.inFlight.set(key, new Map([[ticket, this.elapsed()]]));
  }

  private remove(key: string, ticket: object): void {
    const present = this.inFlight.get(key);
    present?.delete(ticket);
    if (present?.size === 0) this.inFlight.delete(key);
  }
}

/** The key of the domain for all tenants, and its key for one tenant. */
function keysOf(domain: string, tenant: string): readonly [all: string, own: string] {
  return [domain, `${domain} ${tenant}`];
}

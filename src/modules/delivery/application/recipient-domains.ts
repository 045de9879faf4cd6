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
const MOST_DOMAINS = 10_000;

const FIRST_PAUSE = 10_000;

/** How refusals of a kind pause mail. */
interface PauseRules {
  /** A pause starts after this number of refusals without another answer between them. */
  readonly after: number;
  /** Milliseconds of the longest pause. */
  readonly longest: number;
  /** Messages that may be tried concurrently after a pause. */
  readonly probes: number;
}

const RULES: Readonly<Record<DomainRefusal, PauseRules>> = {
  rate: { after: 1, longest: 15 * 60_000, probes: 1 },
  // A greylist accepts only recipients that it has refused before, which is why many are tried, and soon.
  busy: { after: 3, longest: 60_000, probes: 16 },
};

/** Milliseconds after which a message that found a probe in progress checks again. */
const PROBE = 5_000;
/** A domain is slow when a message to it has been in flight for this many milliseconds of real time. */
const SLOW = 5_000;
/** The share of lanes that a slow domain may use. */
const SLOW_SHARE = 0.75;

interface Trouble {
  /** Refusals without another answer between them. */
  inARow: number;
  pauses: number;
  pausedUntil: number;
  /** Messages that may be in flight concurrently. */
  allowed: number;
}

/** When each message of a domain in flight started, in milliseconds of real time, earliest first. */
type UnderWay = Map<object, number>;

/** How many lanes there are, and how many of them belong to the tenant. */
export interface LaneShares {
  readonly all: number;
  readonly own: number;
}

export type Entry =
  | { readonly kind: 'go'; readonly leave: () => void }
  /** Not before `until`, in milliseconds of the product's clock. */
  | { readonly kind: 'wait'; readonly until: number; readonly why: 'refused' | 'slow' };

export class RecipientDomains {
  private readonly troubles = new LRUCache<string, Trouble>({ max: MOST_DOMAINS });
  private readonly underWay = new Map<string, UnderWay>();

  /** @param elapsed milliseconds of real time from any starting point. */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /**
   * Whether a message to the domain may be attempted now. If so, it is in flight until it leaves.
   * @param tenant the tenant of the message.
   * @param isLastChance whether the message would otherwise be given up: every message is tried at least once.
   */
  enter(domain: string, tenant: string, shares: LaneShares, now: Date, isLastChance = false): Entry {
    const keys = keysOf(domain, tenant);
    const [, own] = keys;
    const until = isLastChance ? undefined : this.pausedUntil(keys, now.getTime());
    if (until !== undefined) return { kind: 'wait', until, why: 'refused' };
    const isSlow =
      this.isTooSlow(this.underWay.get(domain), shares.all) ||
      this.isTooSlow(this.underWay.get(own), shares.own);
    if (isSlow && !isLastChance) return { kind: 'wait', until: now.getTime() + PROBE, why: 'slow' };
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
  refused(domain: string, tenant: string, refusal: DomainRefusal, now: Date): void {
    const [all, own] = keysOf(domain, tenant);
    const key = refusal === 'rate' ? all : own;
    const { after, longest, probes } = RULES[refusal];
    const trouble = this.troubles.get(key) ?? { inARow: 0, pauses: 0, pausedUntil: 0, allowed: probes };
    this.troubles.set(key, trouble);
    const time = now.getTime();
    if (time < trouble.pausedUntil || ++trouble.inARow < after) return;
    trouble.pausedUntil = time + Math.min(FIRST_PAUSE * 2 ** trouble.pauses, longest);
    trouble.pauses++;
    trouble.allowed = probes;
  }

  /** Records that a server gave any other answer to a tenant's message to the domain. */
  answered(domain: string, tenant: string, now: Date, lanes: number): void {
    const [all, own] = keysOf(domain, tenant);
    // Refusals of single mailboxes did not concern the whole domain.
    this.troubles.delete(own);
    const trouble = this.troubles.get(all);
    if (!trouble || now.getTime() < trouble.pausedUntil) return;
    trouble.allowed *= 2;
    // The server accepts some mail: the next pause is not longer than the last one.
    trouble.pauses = Math.max(1, trouble.pauses - 1);
    if (trouble.allowed >= lanes) this.troubles.delete(all);
  }

  /** Until when mail with these keys waits, in milliseconds; undefined when it may go. */
  private pausedUntil(keys: readonly string[], time: number): number | undefined {
    for (const key of keys) {
      const trouble = this.troubles.get(key);
      if (trouble && time < trouble.pausedUntil) return trouble.pausedUntil;
      if (trouble && trouble.pauses > 0 && (this.underWay.get(key)?.size ?? 0) >= trouble.allowed)
        return time + PROBE;
    }
    return undefined;
  }

  private isTooSlow(underWay: UnderWay | undefined, lanes: number): boolean {
    if (!underWay || underWay.size < Math.max(1, Math.floor(lanes * SLOW_SHARE))) return false;
    const [earliest] = underWay.values();
    return earliest !== undefined && this.elapsed() - earliest >= SLOW;
  }

  private add(key: string, ticket: object): void {
    const present = this.underWay.get(key);
    if (present) present.set(ticket, this.elapsed());
    else this.underWay.set(key, new Map([[ticket, this.elapsed()]]));
  }

  private remove(key: string, ticket: object): void {
    const present = this.underWay.get(key);
    present?.delete(ticket);
    if (present?.size === 0) this.underWay.delete(key);
  }
}

/** The key of the domain for all tenants, and its key for one tenant. */
function keysOf(domain: string, tenant: string): readonly [all: string, own: string] {
  return [domain, `${domain} ${tenant}`];
}

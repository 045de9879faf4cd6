/**
 * What this process knows of recipients' domains by one transport: which of them refuse mail for now, and how many messages
 * to each are under way. Mail to a domain that refuses waits, ever longer, and is tried with one message; then with two,
 * four and so on. Refusals that may be of single mailboxes hold mail up while nothing else is heard: a server that is busy
 * now and then, or greylists, keeps nobody from those whom it takes. Then the mail of the tenant who heard them waits, and
 * nobody else's: a mailbox of one's own keeps no mail from others. A domain whose answers take long leaves lanes to the
 * others. What waits is in the queue: what is forgotten here is found out anew.
 */
import { LRUCache } from 'lru-cache';
import type { DomainRefusal } from '../domain/failed-attempt.js';

/** Domains, and domains of a tenant, whose pauses are remembered; of more, those that were asked for longest ago begin anew. */
const MOST_DOMAINS = 10_000;

const FIRST_PAUSE = 10_000;

/** How refusals of a kind hold up mail. */
interface PauseRules {
  /** So many, with nothing else heard between, make a pause. */
  readonly after: number;
  /** Milliseconds that a pause takes at most. */
  readonly longest: number;
  /** Messages that are tried at a time after it. */
  readonly probes: number;
}

const RULES: Readonly<Record<DomainRefusal, PauseRules>> = {
  rate: { after: 1, longest: 15 * 60_000, probes: 1 },
  // A greylist takes nobody whom it has not turned away before: many are tried, and soon.
  busy: { after: 3, longest: 60_000, probes: 16 },
};

/** Milliseconds after which a message that met a probe looks again. */
const PROBE = 5_000;
/** A domain is slow when a message to it is under way for so many milliseconds of real time. */
const SLOW = 5_000;
/** The share of lanes that a slow domain may have. */
const SLOW_SHARE = 0.75;

interface Trouble {
  /** Refusals without another answer between. */
  inARow: number;
  pauses: number;
  pausedUntil: number;
  /** Messages that may be under way at a time. */
  allowed: number;
}

/** Of a domain's messages under way the moments of real time at which they began, the earliest first. */
type UnderWay = Map<object, number>;

/** How many lanes there are, and how many of them are the tenant's. */
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

  /** @param elapsed milliseconds of real time since some moment. */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /**
   * Whether a message to the domain may be attempted now; one that may is under way until it leaves.
   * @param tenant whose message it is.
   * @param isLastChance whether it would be given up otherwise: what no server was asked about is asked once.
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

  /** A server has refused a tenant's message to the domain. Messages that were under way together count as one refusal. */
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

  /** A server has answered otherwise to a tenant's message to the domain. */
  answered(domain: string, tenant: string, now: Date, lanes: number): void {
    const [all, own] = keysOf(domain, tenant);
    // Whatever was said of single mailboxes was of them.
    this.troubles.delete(own);
    const trouble = this.troubles.get(all);
    if (!trouble || now.getTime() < trouble.pausedUntil) return;
    trouble.allowed *= 2;
    // Some are taken: the next pause is no longer than the last one.
    trouble.pauses = Math.max(1, trouble.pauses - 1);
    if (trouble.allowed >= lanes) this.troubles.delete(all);
  }

  /** Until when mail of these waits, in milliseconds; undefined when it may go. */
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

/** The domain as it is for everybody, and as it is for the tenant. */
function keysOf(domain: string, tenant: string): readonly [all: string, own: string] {
  return [domain, `${domain} ${tenant}`];
}

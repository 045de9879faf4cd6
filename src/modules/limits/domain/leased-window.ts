/**
 * One process's share of a window that several processes count together. The shared store counts grants in 60 slots,
 * each of which expires as a whole. A process leases requests in advance, lets them pass locally until the slot ends,
 * and returns the rest: the limit is never exceeded, and a request counts at most one slot too long. Leases follow
 * recent traffic and shrink to nothing as the window fills.
 */
import { SlidingWindow } from './sliding-window.js';

/** Slots per window. One more is stored, since the current one has only begun. */
export const SLOTS = 60;

/** A lease covers this many milliseconds of recent traffic; none is held longer than the second value. */
const LEASE_TRAFFIC_MS = 500;
const MAX_LEASE_MS = 1_000;
/** Rates are measured over at least this many milliseconds, so that a short burst does not count as a rate. */
const MIN_MEASURED_MS = 50;
/** Milliseconds after which a full window is requested again: other processes may have returned their leases. */
const FULL_RETRY_MS = 100;
/** A lease is renewed early when less than this fraction (one part in four) is left. */
const LOW_LEASE_DIVISOR = 4;
/** The largest lease. */
const MAX_LEASE_REQUESTS = 1_000_000;

/** A process's request to the store for one window. */
export interface LeaseRequest {
  /** Identifies the window: a UUID. */
  readonly key: string;
  /** Milliseconds. */
  readonly length: number;
  readonly limit: number;
  /** Waiting requests. All are granted if the window has capacity. */
  readonly required: number;
  /**
   * The total the process would take. Beyond `required`, it gets at most a sixteenth of the remaining capacity, and nothing
   * if that is small.
   */
  readonly requested: number;
  /** Leased requests of a slot that were not used. */
  readonly unused: number;
  readonly unusedSlot: number;
}

/** The store's response; times are in milliseconds since the store read its clock. */
export interface LeaseGrant {
  readonly granted: number;
  /** The slot in which the granted requests may pass, and how long it lasts. */
  readonly slot: number;
  readonly slotLeft: number;
  /** What all processes have taken in the window, including this grant. */
  readonly used: number;
  /** When the oldest request leaves the window. */
  readonly freesIn: number;
}

/** room: the lease covers one more request; full: the window is used up; unknown: the store has to be queried. */
export type LeaseStatus = 'room' | 'full' | 'unknown';

export class LeasedWindow {
  /** The requests that this process let pass; it counts with this alone while the store is down. */
  readonly local: SlidingWindow;
  /** The limit under which the lease was granted. */
  private limit = 0;
  private slot = 0;
  private leased = 0;
  /** The part of the lease beyond the waiting requests, when it was granted. */
  private extraLeased = 0;
  private leasedSince = 0;
  private leasedUntil = 0;
  /** Capacity beyond the lease, according to the last response. */
  private remaining = 0;
  private answeredAt = 0;
  private fullUntil = 0;
  private oldestFreesAt = 0;
  private unused = 0;
  private unusedSlot = 0;
  private uses = 0;
  private usesCountedSince = 0;

  /** @param key of the store. @param length in milliseconds. */
  constructor(
    readonly key: string,
    readonly length: number,
  ) {
    this.local = new SlidingWindow(length);
  }

  status(limit: number, now: number): LeaseStatus {
    const isLive = this.isLive(now);
    if (isLive && limit >= this.limit) return 'room';
    // A grant that arrived too late is returned by the next request to the store, which may get it again: that much is
    // free.
    if (!isLive && this.leased > 0) return 'unknown';
    const isFull = this.answeredAt <= now && now < this.fullUntil;
    return isFull && limit <= this.limit ? 'full' : 'unknown';
  }

  /** The remaining capacity, given a lease that is not used up, as far as this process knows. */
  get capacity(): number {
    return this.leased + this.remaining;
  }

  /** When the oldest request leaves the window, in milliseconds, as far as this process knows. */
  get freesAt(): number {
    return this.oldestFreesAt;
  }

  /** Lets one request pass. The caller has checked that there is capacity. */
  use(now: number): void {
    this.leased--;
    this.uses++;
    this.local.add(now);
  }

  /** Whether the lease is nearly used up while the window has capacity beyond it. */
  get isNearlyUsed(): boolean {
    return this.leased * LOW_LEASE_DIVISOR < this.extraLeased && this.remaining > 0;
  }

  /** Ends an expired lease. @returns whether there is anything to return to the store. */
  retire(now: number): boolean {
    if (this.leased > 0 && !this.isLive(now)) this.endLease();
    return this.unused > 0;
  }

  /** Whether the lease has requests left. */
  get isLeased(): boolean {
    return this.leased > 0;
  }

  /** Ends the lease, expired or not. */
  endLease(): void {
    if (this.leased === 0) return;
    // Requests left over from an earlier slot stay counted in the store.
    this.unused = this.unusedSlot === this.slot ? this.unused + this.leased : this.leased;
    this.unusedSlot = this.slot;
    this.leased = 0;
  }

  /**
   * The next request to the store. Everything that it names as returned counts as returned.
   * @param required waiting requests.
   */
  requestLease(limit: number, required: number, now: number): LeaseRequest {
    const returned = this.requestReturn(limit, now);
    const measuredMs = Math.max(now - this.usesCountedSince, MIN_MEASURED_MS);
    const extra = Math.floor((this.uses * LEASE_TRAFFIC_MS) / measuredMs) - this.leased;
    this.uses = 0;
    this.usesCountedSince = now;
    const requested = Math.min(Math.max(required, required + extra), MAX_LEASE_REQUESTS);
    const { key, length, unused, unusedSlot } = returned;
    return { key, length, limit, required, requested, unused, unusedSlot };
  }

  /** A request to the store that takes nothing, and returns what is no longer held. */
  requestReturn(limit: number, now: number): LeaseRequest {
    // Under a smaller limit, this lease might not have been granted.
    if (limit < this.limit || !this.isLive(now)) this.endLease();
    const { key, length, unused, unusedSlot } = this;
    this.unused = 0;
    return { key, length, limit, required: 0, requested: 0, unused, unusedSlot };
  }

  /** @param sentAt when the request was sent, which is the earliest time at which the store read its clock. */
  applyGrant(
    { limit, required }: LeaseRequest,
    { granted, slot, slotLeft, used, freesIn }: LeaseGrant,
    sentAt: number,
    now: number,
  ): void {
    if (slot !== this.slot || !this.isLive(now)) {
      this.endLease();
      this.slot = slot;
      this.leasedSince = sentAt;
      this.limit = limit;
    }
    // Leases granted under a smaller and a larger limit are combined, and valid only under the larger one.
    this.limit = this.leased > 0 ? Math.max(this.limit, limit) : limit;
    this.leased += granted;
    this.extraLeased = Math.max(0, this.leased - required);
    this.leasedUntil = sentAt + Math.min(slotLeft, MAX_LEASE_MS);
    this.remaining = Math.max(0, limit - used);
    this.answeredAt = now;
    this.oldestFreesAt = now + freesIn;
    this.fullUntil = this.remaining > 0 ? 0 : now + Math.min(freesIn, FULL_RETRY_MS);
  }

  /** A clock that was set back ends the lease. */
  private isLive(now: number): boolean {
    return this.leased > 0 && this.leasedSince <= now && now < this.leasedUntil;
  }
}

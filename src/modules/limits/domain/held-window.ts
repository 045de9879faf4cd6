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
const PROVISION = 500;
const LONGEST_HOLD = 1_000;
/** Rates are measured over at least this many milliseconds, so that a short burst does not count as a rate. */
const SHORTEST_STRETCH = 50;
/** Milliseconds after which a full window is requested again: other processes may have returned their leases. */
const ASKED_AGAIN = 100;
/** A lease is renewed early when less than this fraction (one part in four) is left. */
const RUNS_LOW = 4;
/** The largest lease. */
const MOST_AHEAD = 1_000_000;

/** A process's request to the store for one window. */
export interface Ask {
  /** Identifies the window: a UUID. */
  readonly key: string;
  /** Milliseconds. */
  readonly length: number;
  readonly limit: number;
  /** Waiting requests. All are granted if the window has capacity. */
  readonly need: number;
  /**
   * The total the process would take. Beyond `need`, it gets at most a sixteenth of the remaining capacity, and nothing
   * if that is small.
   */
  readonly want: number;
  /** Leased requests of a slot that were not used. */
  readonly back: number;
  readonly backSlot: number;
}

/** The store's response; times are in milliseconds since the store read its clock. */
export interface Grant {
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
export type Standing = 'room' | 'full' | 'unknown';

export class HeldWindow {
  /** The requests that this process let pass; it counts with this alone while the store is down. */
  readonly own: SlidingWindow;
  /** The limit under which the lease was granted. */
  private limit = 0;
  private slot = 0;
  private left = 0;
  /** The part of the lease beyond the waiting requests, when it was granted. */
  private size = 0;
  private since = 0;
  private until = 0;
  /** Capacity beyond the lease, according to the last response. */
  private remaining = 0;
  private answeredAt = 0;
  private fullUntil = 0;
  private frees = 0;
  private back = 0;
  private backSlot = 0;
  private uses = 0;
  private usesSince = 0;

  /** @param key of the store. @param length in milliseconds. */
  constructor(
    readonly key: string,
    readonly length: number,
  ) {
    this.own = new SlidingWindow(length);
  }

  standing(limit: number, now: number): Standing {
    const isLive = this.isLive(now);
    if (isLive && limit >= this.limit) return 'room';
    // A grant that arrived too late is returned by the next request to the store, which may get it again: that much is
    // free.
    if (!isLive && this.left > 0) return 'unknown';
    const isFull = this.answeredAt <= now && now < this.fullUntil;
    return isFull && limit <= this.limit ? 'full' : 'unknown';
  }

  /** The remaining capacity, given a lease that is not used up, as far as this process knows. */
  get room(): number {
    return this.left + this.remaining;
  }

  /** When the oldest request leaves the window, in milliseconds, as far as this process knows. */
  get freesAt(): number {
    return this.frees;
  }

  /** Lets one request pass. The caller has checked that there is capacity. */
  use(now: number): void {
    this.left--;
    this.uses++;
    this.own.add(now);
  }

  /** Whether the lease is nearly used up while the window has capacity beyond it. */
  get runsLow(): boolean {
    return this.left * RUNS_LOW < this.size && this.remaining > 0;
  }

  /** Ends an expired lease. @returns whether there is anything to return to the store. */
  retire(now: number): boolean {
    if (this.left > 0 && !this.isLive(now)) this.giveUp();
    return this.back > 0;
  }

  /** Whether the lease has requests left. */
  get isHeld(): boolean {
    return this.left > 0;
  }

  /** Ends the lease, expired or not. */
  giveUp(): void {
    if (this.left === 0) return;
    // Requests left over from an earlier slot stay counted in the store.
    this.back = this.backSlot === this.slot ? this.back + this.left : this.left;
    this.backSlot = this.slot;
    this.left = 0;
  }

  /**
   * The next request to the store. Everything that it names as returned counts as returned.
   * @param need waiting requests.
   */
  ask(limit: number, need: number, now: number): Ask {
    const giving = this.askBack(limit, now);
    const stretch = Math.max(now - this.usesSince, SHORTEST_STRETCH);
    const ahead = Math.floor((this.uses * PROVISION) / stretch) - this.left;
    this.uses = 0;
    this.usesSince = now;
    const want = Math.min(Math.max(need, need + ahead), MOST_AHEAD);
    const { key, length, back, backSlot } = giving;
    return { key, length, limit, need, want, back, backSlot };
  }

  /** A request to the store that takes nothing, and returns what is no longer held. */
  askBack(limit: number, now: number): Ask {
    // Under a smaller limit, this lease might not have been granted.
    if (limit < this.limit || !this.isLive(now)) this.giveUp();
    const { key, length, back, backSlot } = this;
    this.back = 0;
    return { key, length, limit, need: 0, want: 0, back, backSlot };
  }

  /** @param sentAt when the request was sent, which is the earliest time at which the store read its clock. */
  answer(
    { limit, need }: Ask,
    { granted, slot, slotLeft, used, freesIn }: Grant,
    sentAt: number,
    now: number,
  ): void {
    if (slot !== this.slot || !this.isLive(now)) {
      this.giveUp();
      this.slot = slot;
      this.since = sentAt;
      this.limit = limit;
    }
    // Leases granted under a smaller and a larger limit are combined, and valid only under the larger one.
    this.limit = this.left > 0 ? Math.max(this.limit, limit) : limit;
    this.left += granted;
    this.size = Math.max(0, this.left - need);
    this.until = sentAt + Math.min(slotLeft, LONGEST_HOLD);
    this.remaining = Math.max(0, limit - used);
    this.answeredAt = now;
    this.frees = now + freesIn;
    this.fullUntil = this.remaining > 0 ? 0 : now + Math.min(freesIn, ASKED_AGAIN);
  }

  /** A clock that was set back ends the lease. */
  private isLive(now: number): boolean {
    return this.left > 0 && this.since <= now && now < this.until;
  }
}

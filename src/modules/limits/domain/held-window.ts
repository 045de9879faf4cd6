/**
 * What one process holds of a window that several processes share. The window is cut into slots, a sixtieth of its length
 * each; the store that all share counts what was given out in each slot, and a slot leaves the window as a whole once its
 * end is a window's length ago. A process takes some requests in advance, its lease, lets them pass by itself until the
 * slot ends, and gives back what is left: so that whatever the processes do, never more than the limit passes in any
 * stretch of the window's length, and a request is held against its caller at most a slot too long. How much is taken in
 * advance follows what the process has let pass lately, is never much of what is left, and where little is left nothing.
 */
import { SlidingWindow } from './sliding-window.js';

/** Slots of a window; one more is kept, since the present one has only begun. */
export const SLOTS = 60;

/** A lease is for so many milliseconds of the same traffic; none is held for longer than the second. */
const PROVISION = 500;
const LONGEST_HOLD = 1_000;
/** Rates are taken over this many milliseconds at least, so that a burst is no rate. */
const SHORTEST_STRETCH = 50;
/** After so many milliseconds a window that was full is asked for again: others may have given back what they held. */
const ASKED_AGAIN = 100;
/** Of a lease that is used up but for one part in so many, more is asked for beforehand. */
const RUNS_LOW = 4;
/** The greatest lease. */
const MOST_AHEAD = 1_000_000;

/** What a process asks of the store about one window. */
export interface Ask {
  /** Tells the window from all others: a UUID. */
  readonly key: string;
  /** Milliseconds. */
  readonly length: number;
  readonly limit: number;
  /** Requests that wait. They are given all, where there is room. */
  readonly need: number;
  /** Requests that the process would take in all; of what there is beyond `need` it is given a sixteenth of the room at most, and none where that is little. */
  readonly want: number;
  /** Requests that were taken in a slot and have not come. */
  readonly back: number;
  readonly backSlot: number;
}

/** What the store answers; times in milliseconds from when it looked. */
export interface Grant {
  readonly granted: number;
  /** The slot in which they may pass, and how long it lasts. */
  readonly slot: number;
  readonly slotLeft: number;
  /** What all processes have taken in the window, what is granted included. */
  readonly used: number;
  /** When the oldest request leaves the window. */
  readonly freesIn: number;
}

/** room: the lease covers one more request; full: nobody has any; unknown: the store is to be asked. */
export type Standing = 'room' | 'full' | 'unknown';

export class HeldWindow {
  /** What this process has let pass, by which it counts alone while the store is away. */
  readonly own: SlidingWindow;
  /** The limit that the lease was granted under. */
  private limit = 0;
  private slot = 0;
  private left = 0;
  /** Of the lease what nobody waited for, as it was granted. */
  private size = 0;
  private since = 0;
  private until = 0;
  /** Room beyond the lease, as the store said last. */
  private remaining = 0;
  private answeredAt = 0;
  private fullUntil = 0;
  private frees = 0;
  private back = 0;
  private backSlot = 0;
  private uses = 0;
  private usesSince = 0;

  /** @param key the store's. @param length in milliseconds. */
  constructor(
    readonly key: string,
    readonly length: number,
  ) {
    this.own = new SlidingWindow(length);
  }

  standing(limit: number, now: number): Standing {
    const isLive = this.isLive(now);
    if (isLive && limit >= this.limit) return 'room';
    // What was granted too late is given back by the next ask, and may be had again by it: there is room for so much.
    if (!isLive && this.left > 0) return 'unknown';
    const isFull = this.answeredAt <= now && now < this.fullUntil;
    return isFull && limit <= this.limit ? 'full' : 'unknown';
  }

  /** Requests that there is room for where the lease has any, as far as this process knows. */
  get room(): number {
    return this.left + this.remaining;
  }

  /** When the oldest request leaves the window, in milliseconds, as far as this process knows. */
  get freesAt(): number {
    return this.frees;
  }

  /** Lets one request pass that there is room for. */
  use(now: number): void {
    this.left--;
    this.uses++;
    this.own.add(now);
  }

  /** Whether what was taken in advance is about to be used up while there is room beyond it. */
  get runsLow(): boolean {
    return this.left * RUNS_LOW < this.size && this.remaining > 0;
  }

  /** Ends a lease whose time is over. @returns whether there is anything to be given back. */
  retire(now: number): boolean {
    if (this.left > 0 && !this.isLive(now)) this.giveUp();
    return this.back > 0;
  }

  /** Whether anything is held. */
  get isHeld(): boolean {
    return this.left > 0;
  }

  /** Ends the lease, whatever its time. */
  giveUp(): void {
    if (this.left === 0) return;
    // What was taken in an earlier slot and is still here stays counted there.
    this.back = this.backSlot === this.slot ? this.back + this.left : this.left;
    this.backSlot = this.slot;
    this.left = 0;
  }

  /**
   * What to ask of the store now; what it names as given back is given back by it.
   * @param need requests that wait.
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

  /** Asks for nothing, and gives back what is held no more. */
  askBack(limit: number, now: number): Ask {
    // Under a smaller limit nothing of this lease might have been granted.
    if (limit < this.limit || !this.isLive(now)) this.giveUp();
    const { key, length, back, backSlot } = this;
    this.back = 0;
    return { key, length, limit, need: 0, want: 0, back, backSlot };
  }

  /** @param sentAt when the ask was sent, which is when the store looked at the earliest. */
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
    // What is held of a smaller limit and what is granted under a greater one pass under the greater one alone.
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

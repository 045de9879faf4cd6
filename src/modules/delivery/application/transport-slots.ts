/**
 * Limits concurrent sends per transport. A lane is one slot: it holds a message from its claim until its outcome is
 * stored, so a crash leaves at most one unknown outcome per lane, and those that the ledger has not accepted yet.
 * Active tenants share the lanes evenly; promotional messages never get all of them. While the server cannot be
 * reached or keeps breaking connections, lanes are held back and single messages probe it.
 */

/** Lanes of a process, for each transport. */
export const SLOTS_PER_TRANSPORT = 32;
/** The share of lanes that promotional messages of all tenants together may use. */
const PROMOTIONAL_SHARE = 0.75;
/** The share of a tenant's lanes in which promotional messages that have waited long go before transactional ones. */
const OVERDUE_SHARE = 0.125;

/** A number of lanes, and the maximum of promotional messages among them. */
export interface SlotCount {
  readonly all: number;
  readonly promotional: number;
}

export const NO_SLOTS: SlotCount = { all: 0, promotional: 0 };

/** The kinds of messages that lanes are wanted for. */
export interface ContentKinds {
  readonly transactional: boolean;
  readonly promotional: boolean;
}

/** Lanes that a holder got, and how many of them are for its promotional messages that have waited for a long time. */
export interface AcquiredSlots extends SlotCount {
  readonly overdue: number;
}

/** Consecutive messages that could not be transmitted, without an answer between them, that count as an outage. */
const MAX_CONSECUTIVE_MISSES = 3;
/** The same for connections that broke after the content. */
const MAX_CONSECUTIVE_BREAKS = 8;

const INITIAL_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export class TransportSlots {
  private readonly held = new Map<object, SlotCount>();
  private used: SlotCount = NO_SLOTS;
  private readonly maxPromotional: number;
  private waiting: (() => void)[] = [];
  private outages = 0;
  private misses = 0;
  private breaks = 0;
  private heldBackUntil = 0;

  constructor(readonly size: number) {
    this.maxPromotional = Math.ceil(size * PROMOTIONAL_SHARE);
  }

  /** Adds `holder` to those that share the lanes, until it leaves. A holder that is already added keeps its lanes. */
  join(holder: object): void {
    if (!this.held.has(holder)) this.held.set(holder, NO_SLOTS);
  }

  /** Releases all lanes of the holder. */
  leave(holder: object): void {
    this.release(holder, this.of(holder));
    this.held.delete(holder);
  }

  /** Takes as many lanes as are free, within the holder's share, for the wanted kinds. */
  acquire(holder: object, kinds: ContentKinds, now: Date): AcquiredSlots {
    const held = this.of(holder);
    const { share } = this;
    let free = Math.max(0, Math.min(this.size - this.used.all, share - held.all));
    if (this.isHeldBack(now)) free = 0;
    else if (this.outages > 0) free = this.used.all === 0 ? Math.min(free, 1) : 0;
    const open = kinds.promotional ? Math.min(free, this.maxPromotional - this.used.promotional) : 0;
    const count = { all: kinds.transactional ? free : open, promotional: open };
    this.used = sumSlots(this.used, count);
    this.held.set(holder, sumSlots(held, count));
    const overdue = Math.min(open, Math.ceil(share * OVERDUE_SHARE) - held.promotional);
    return { ...count, overdue: Math.max(0, overdue) };
  }

  /** Releases lanes, but no more than the holder has. */
  release(holder: object, { all, promotional }: SlotCount): void {
    const held = this.of(holder);
    const count = { all: -Math.min(all, held.all), promotional: -Math.min(promotional, held.promotional) };
    if (count.all === 0 && count.promotional === 0) return;
    this.used = sumSlots(this.used, count);
    this.held.set(holder, sumSlots(held, count));
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when a lane is next released. */
  whenReleased(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Whether no lane is available because the server could not be reached recently. */
  isHeldBack(now: Date): boolean {
    return now.getTime() < this.heldBackUntil;
  }

  /** Whether one message is probing the server and no other may go. */
  get isProbing(): boolean {
    return this.outages > 0 && this.used.all > 0;
  }

  /** The maximum of lanes per holder, given the current number of holders. */
  get share(): number {
    return Math.max(1, Math.floor(this.size / Math.max(1, this.held.size)));
  }

  /**
   * Records that a message could not be transmitted.
   * @param requestedPauseMs holds the lanes back at this first failure, for at least this many milliseconds; absent:
   * only after several failures in a row.
   */
  recordUnreachable(now: Date, requestedPauseMs?: number): void {
    if (++this.misses >= MAX_CONSECUTIVE_MISSES || this.outages > 0 || requestedPauseMs !== undefined)
      this.holdBack(now, requestedPauseMs);
  }

  /**
   * Records that a connection broke after the content, before an answer. Each such break may leave an outcome unknown,
   * which is why many of them count as an outage.
   */
  recordBrokenConnection(now: Date): void {
    if (++this.breaks >= MAX_CONSECUTIVE_BREAKS || this.outages > 0) this.holdBack(now);
  }

  /** Records that the server answered. */
  recordAnswer(): void {
    this.outages = 0;
    this.misses = 0;
    this.breaks = 0;
    this.heldBackUntil = 0;
  }

  /** Failures of messages in flight together count as one outage. */
  private holdBack(now: Date, minPauseMs = 0): void {
    if (this.isHeldBack(now)) return;
    const pause = Math.max(minPauseMs, Math.min(INITIAL_PAUSE_MS * 2 ** this.outages, MAX_PAUSE_MS));
    this.outages++;
    this.heldBackUntil = now.getTime() + pause;
  }

  private of(holder: object): SlotCount {
    return this.held.get(holder) ?? NO_SLOTS;
  }
}

export function sumSlots(one: SlotCount, other: SlotCount): SlotCount {
  return { all: one.all + other.all, promotional: one.promotional + other.promotional };
}

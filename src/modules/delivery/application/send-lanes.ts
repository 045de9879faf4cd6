/**
 * Limits concurrent sends per transport. A lane is one slot: it holds a message from its claim until its outcome is
 * stored, so a crash leaves at most one unknown outcome per lane, and those that the ledger has not accepted yet.
 * Active tenants share the lanes evenly; promotional messages never get all of them. While the server cannot be
 * reached or keeps breaking connections, lanes are held back and single messages probe it.
 */

/** Lanes of a process, for each transport. */
export const LANES = 32;
/** The share of lanes that promotional messages of all tenants together may use. */
const PROMOTIONAL_SHARE = 0.75;
/** The share of a tenant's lanes in which promotional messages that have waited long go before transactional ones. */
const PATIENT_SHARE = 0.125;

/** A number of lanes, and the maximum of promotional messages among them. */
export interface LaneCount {
  readonly all: number;
  readonly promotional: number;
}

export const NO_LANES: LaneCount = { all: 0, promotional: 0 };

/** The kinds of messages that lanes are wanted for. */
export interface WantedKinds {
  readonly transactional: boolean;
  readonly promotional: boolean;
}

/** Lanes that a holder got, and how many of them are for its promotional messages that have waited for a long time. */
export interface TakenLanes extends LaneCount {
  readonly patient: number;
}

/** Consecutive messages that could not be transmitted, without an answer between them, that count as an outage. */
const MISSES_IN_A_ROW = 3;
/** The same for connections that broke after the content. */
const BREAKS_IN_A_ROW = 8;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

export class SendLanes {
  private readonly held = new Map<object, LaneCount>();
  private taken: LaneCount = NO_LANES;
  private readonly mostPromotional: number;
  private waiting: (() => void)[] = [];
  private outages = 0;
  private misses = 0;
  private breaks = 0;
  private heldBackUntil = 0;

  constructor(readonly size: number) {
    this.mostPromotional = Math.ceil(size * PROMOTIONAL_SHARE);
  }

  /** Adds `holder` to those that share the lanes, until it leaves. A holder that is already added keeps its lanes. */
  join(holder: object): void {
    if (!this.held.has(holder)) this.held.set(holder, NO_LANES);
  }

  /** Releases all lanes of the holder. */
  leave(holder: object): void {
    this.give(holder, this.of(holder));
    this.held.delete(holder);
  }

  /** Takes as many lanes as are free, within the holder's share, for the wanted kinds. */
  take(holder: object, wanted: WantedKinds, now: Date): TakenLanes {
    const mine = this.of(holder);
    const { share } = this;
    let free = Math.max(0, Math.min(this.size - this.taken.all, share - mine.all));
    if (this.isHeldBack(now)) free = 0;
    else if (this.outages > 0) free = this.taken.all === 0 ? Math.min(free, 1) : 0;
    const open = wanted.promotional ? Math.min(free, this.mostPromotional - this.taken.promotional) : 0;
    const count = { all: wanted.transactional ? free : open, promotional: open };
    this.taken = sum(this.taken, count);
    this.held.set(holder, sum(mine, count));
    const patient = Math.min(open, Math.ceil(share * PATIENT_SHARE) - mine.promotional);
    return { ...count, patient: Math.max(0, patient) };
  }

  /** Releases lanes, but no more than the holder has. */
  give(holder: object, { all, promotional }: LaneCount): void {
    const mine = this.of(holder);
    const count = { all: -Math.min(all, mine.all), promotional: -Math.min(promotional, mine.promotional) };
    if (count.all === 0 && count.promotional === 0) return;
    this.taken = sum(this.taken, count);
    this.held.set(holder, sum(mine, count));
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when a lane is next released. */
  freed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Whether no lane is available because the server could not be reached recently. */
  isHeldBack(now: Date): boolean {
    return now.getTime() < this.heldBackUntil;
  }

  /** Whether one message is probing the server and no other may go. */
  get isOnTrial(): boolean {
    return this.outages > 0 && this.taken.all > 0;
  }

  /** The maximum of lanes per holder, given the current number of holders. */
  get share(): number {
    return Math.max(1, Math.floor(this.size / Math.max(1, this.held.size)));
  }

  /**
   * Records that a message could not be transmitted.
   * @param asked holds the lanes back at this first failure, for at least this many milliseconds; absent: only after
   * several failures in a row.
   */
  unreachable(now: Date, asked?: number): void {
    if (++this.misses >= MISSES_IN_A_ROW || this.outages > 0 || asked !== undefined)
      this.holdBack(now, asked);
  }

  /**
   * Records that a connection broke after the content, before an answer. Each such break may leave an outcome unknown,
   * which is why many of them count as an outage.
   */
  broken(now: Date): void {
    if (++this.breaks >= BREAKS_IN_A_ROW || this.outages > 0) this.holdBack(now);
  }

  /** Records that the server answered. */
  reached(): void {
    this.outages = 0;
    this.misses = 0;
    this.breaks = 0;
    this.heldBackUntil = 0;
  }

  /** Failures of messages in flight together count as one outage. */
  private holdBack(now: Date, asked = 0): void {
    if (this.isHeldBack(now)) return;
    const pause = Math.max(asked, Math.min(FIRST_PAUSE * 2 ** this.outages, LONGEST_PAUSE));
    this.outages++;
    this.heldBackUntil = now.getTime() + pause;
  }

  private of(holder: object): LaneCount {
    return this.held.get(holder) ?? NO_LANES;
  }
}

export function sum(one: LaneCount, other: LaneCount): LaneCount {
  return { all: one.all + other.all, promotional: one.promotional + other.promotional };
}

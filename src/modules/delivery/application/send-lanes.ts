/**
 * How many messages a process may have in hand for one transport at a time. Each lane holds one message from the
 * moment it is taken out of the queue until its fate is stored, so that a process that dies leaves at most so many
 * of unknown fate. Tenants that are being worked on share the lanes evenly; while the server cannot be reached, or breaks
 * connection after connection, all are held back, and one message at a time finds out whether it answers again.
 * Promotional messages never have all of them, so that a transactional one finds a lane whatever they wait for.
 */

/** Lanes of a process, for each transport. */
export const LANES = 32;
/** The share of them that promotional messages of all tenants together may have. */
const PROMOTIONAL_SHARE = 0.75;
/** The share of a tenant's lanes that its promotional messages have as well when they have waited long. */
const PATIENT_SHARE = 0.125;

/** So many lanes, of which promotional messages may have no more than so many. */
export interface LaneCount {
  readonly all: number;
  readonly promotional: number;
}

export const NO_LANES: LaneCount = { all: 0, promotional: 0 };

/** Kinds of messages that lanes are wanted for. */
export interface WantedKinds {
  readonly transactional: boolean;
  readonly promotional: boolean;
}

/** Lanes that a holder was given, and how many of them are its promotional messages' that have waited long. */
export interface TakenLanes extends LaneCount {
  readonly patient: number;
}

/** Messages in a row that could not be handed over, without an answer between, that are no chance any more. */
const MISSES_IN_A_ROW = 3;
/** The same of connections that broke after the content. */
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

  /** Makes `holder` one of those that share the lanes, until it leaves; whoever is one keeps what it has. */
  join(holder: object): void {
    if (!this.held.has(holder)) this.held.set(holder, NO_LANES);
  }

  /** Gives back whatever the holder has. */
  leave(holder: object): void {
    this.give(holder, this.of(holder));
    this.held.delete(holder);
  }

  /** Takes as many lanes as are free and due to the holder now, and of use for what it wants. */
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

  /** Gives back lanes, and no more than the holder has. */
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

  /** Resolves when a lane is given back next. */
  freed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Whether no lane is to be had, since the server could not be reached a moment ago. */
  isHeldBack(now: Date): boolean {
    return now.getTime() < this.heldBackUntil;
  }

  /** Whether one message is finding out if the server can be reached again, and no other may go. */
  get isOnTrial(): boolean {
    return this.outages > 0 && this.taken.all > 0;
  }

  /** How many lanes a holder has at most, while so many share them. */
  get share(): number {
    return Math.max(1, Math.floor(this.size / Math.max(1, this.held.size)));
  }

  /**
   * A message could not be handed over.
   * @param asked milliseconds for which lanes are held back at once, and at least; left out where one miss may be chance.
   */
  unreachable(now: Date, asked?: number): void {
    if (++this.misses >= MISSES_IN_A_ROW || this.outages > 0 || asked !== undefined)
      this.holdBack(now, asked);
  }

  /** A connection broke after the content, before an answer. Each may cost a message its fate, so many are an outage. */
  broken(now: Date): void {
    if (++this.breaks >= BREAKS_IN_A_ROW || this.outages > 0) this.holdBack(now);
  }

  /** The server has answered. */
  reached(): void {
    this.outages = 0;
    this.misses = 0;
    this.breaks = 0;
    this.heldBackUntil = 0;
  }

  /** Messages that were under way together count as one outage. */
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

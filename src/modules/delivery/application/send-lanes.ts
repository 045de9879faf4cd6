/**
 * How many messages a process may have in hand for one transport at a time. Each lane holds one message from the
 * moment it is taken out of the queue until its fate is stored, so that a process that dies leaves at most so many
 * of unknown fate. Tenants that are being worked on share the lanes evenly; while the server cannot be reached, or breaks
 * connection after connection, all are held back, and one message at a time finds out whether it answers again.
 */

/** Lanes of a process, for each transport. */
export const LANES = 32;

/** Messages in a row that could not be handed over, without an answer between, that are no chance any more. */
const MISSES_IN_A_ROW = 3;
/** The same of connections that broke after the content. */
const BREAKS_IN_A_ROW = 8;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

export class SendLanes {
  private readonly held = new Map<object, number>();
  private taken = 0;
  private waiting: (() => void)[] = [];
  private outages = 0;
  private misses = 0;
  private breaks = 0;
  private heldBackUntil = 0;

  constructor(private readonly size: number) {}

  /** Makes `holder` one of those that share the lanes, until it leaves. */
  join(holder: object): void {
    this.held.set(holder, 0);
  }

  /** Gives back whatever the holder has. */
  leave(holder: object): void {
    this.give(holder, this.held.get(holder) ?? 0);
    this.held.delete(holder);
  }

  /** Takes as many lanes as are free and due to the holder now; gives their number. */
  take(holder: object, now: Date): number {
    const mine = this.held.get(holder) ?? 0;
    const share = Math.max(1, Math.floor(this.size / this.held.size));
    let count = Math.max(0, Math.min(this.size - this.taken, share - mine));
    if (this.isHeldBack(now)) count = 0;
    else if (this.outages > 0) count = this.taken === 0 ? Math.min(count, 1) : 0;
    this.taken += count;
    this.held.set(holder, mine + count);
    return count;
  }

  /** Gives back so many lanes, and no more than the holder has. */
  give(holder: object, lanes: number): void {
    const mine = this.held.get(holder) ?? 0;
    const count = Math.min(lanes, mine);
    if (count <= 0) return;
    this.taken -= count;
    this.held.set(holder, mine - count);
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

  /** A message could not be handed over. */
  unreachable(now: Date): void {
    if (++this.misses >= MISSES_IN_A_ROW || this.outages > 0) this.holdBack(now);
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
  private holdBack(now: Date): void {
    if (this.isHeldBack(now)) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** this.outages, LONGEST_PAUSE);
    this.outages++;
    this.heldBackUntil = now.getTime() + pause;
  }
}

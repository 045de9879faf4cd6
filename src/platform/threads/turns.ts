/**
 * A fair semaphore: owners take turns, none may hold all permits, and the queue is bounded in number and bytes, per
 * owner and in total. Independent of threads and time.
 */

/** Limits of the work of all owners, or of one. */
export interface TurnBounds {
  /** Maximum concurrent work. */
  readonly running: number;
  /** Maximum waiting work. */
  readonly waiting: number;
  /** Maximum bytes held by waiting work. */
  readonly waitingBytes: number;
}

/** Work that is running or queued. */
export interface Turn {
  /** Releases the permit, or leaves the queue. Further calls do nothing. */
  leave(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** The work of one owner; discarded when empty. */
interface Owner {
  running: number;
  waitingBytes: number;
  readonly waiting: Set<Waiting>;
}

export class Turns {
  /** In the order in which they are next. */
  private readonly owners = new Map<string, Owner>();
  private runningNow = 0;
  private waitingBytes = 0;
  private count = 0;

  constructor(
    private readonly all: TurnBounds,
    private readonly one: TurnBounds,
  ) {}

  /** The number of running pieces of work. */
  get running(): number {
    return this.runningNow;
  }

  /** The number of waiting pieces of work. */
  get waiting(): number {
    return this.count;
  }

  /**
   * Requests a permit.
   * @param bytes bytes that the work holds while it waits.
   * @param begin called when the permit is granted: immediately if one is free, and never after leaving the queue.
   * @returns undefined if the queue, or the owner's part of it, is full.
   */
  enter(owner: string, bytes: number, begin: () => void): Turn | undefined {
    const own = this.owners.get(owner) ?? { running: 0, waitingBytes: 0, waiting: new Set() };
    if (this.hasRoomFor(own) && own.waiting.size === 0) {
      this.owners.set(owner, own);
      return this.start(owner, own, begin);
    }
    if (
      this.count >= this.all.waiting ||
      own.waiting.size >= this.one.waiting ||
      this.waitingBytes + bytes > this.all.waitingBytes ||
      own.waitingBytes + bytes > this.one.waitingBytes
    )
      return undefined;
    this.owners.set(owner, own);
    let started: Turn | undefined;
    const piece = { bytes, begin: () => (started = this.start(owner, own, begin)) };
    own.waiting.add(piece);
    this.account(own, 1, bytes);
    return {
      leave: () => {
        if (started) started.leave();
        else this.withdraw(owner, own, piece);
      },
    };
  }

  private start(owner: string, own: Owner, begin: () => void): Turn {
    own.running++;
    this.runningNow++;
    let isOver = false;
    const turn = {
      leave: () => {
        if (isOver) return;
        isOver = true;
        own.running--;
        this.runningNow--;
        this.forgetIdle(owner, own);
        this.next();
      },
    };
    begin();
    return turn;
  }

  /** Starts the next work; an owner that was served moves to the end. */
  private next(): void {
    for (let owner = this.nextOwner(); owner !== undefined; owner = this.nextOwner()) {
      const own = this.owners.get(owner);
      const [piece] = own?.waiting ?? [];
      if (!own || !piece) return;
      own.waiting.delete(piece);
      this.account(own, -1, -piece.bytes);
      this.owners.delete(owner);
      this.owners.set(owner, own);
      piece.begin();
    }
  }

  private nextOwner(): string | undefined {
    if (this.runningNow >= this.all.running) return undefined;
    for (const [owner, own] of this.owners) if (own.waiting.size > 0 && this.hasRoomFor(own)) return owner;
    return undefined;
  }

  private withdraw(owner: string, own: Owner, piece: Waiting): void {
    if (!own.waiting.delete(piece)) return;
    this.account(own, -1, -piece.bytes);
    this.forgetIdle(owner, own);
  }

  private hasRoomFor(own: Owner): boolean {
    return this.runningNow < this.all.running && own.running < this.one.running;
  }

  private account(own: Owner, pieces: number, bytes: number): void {
    this.count += pieces;
    own.waitingBytes += bytes;
    this.waitingBytes += bytes;
  }

  private forgetIdle(owner: string, own: Owner): void {
    if (own.running === 0 && own.waiting.size === 0) this.owners.delete(owner);
  }
}

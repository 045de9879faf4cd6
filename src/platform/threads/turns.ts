/**
 * Whose work comes next when there is more of it than room: owners take turns, none may hold all of the room, and what
 * waits is bounded in number and in bytes, for each owner and altogether. Knows no threads and no time.
 */

/** Bounds of the work of all owners, or of one. */
export interface TurnBounds {
  /** Pieces of work at a time. */
  readonly running: number;
  /** Pieces that may wait. */
  readonly waiting: number;
  /** Bytes that those may hold which wait. */
  readonly waitingBytes: number;
}

/** A piece of work that has a place, running or in the queue. */
export interface Turn {
  /** Gives the place back, or leaves the queue; once is enough, and more do no harm. */
  leave(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** What one owner has; it is forgotten when that is nothing. */
interface Owner {
  running: number;
  waitingBytes: number;
  readonly waiting: Set<Waiting>;
}

export class Turns {
  /** In the order in which they come next. */
  private readonly owners = new Map<string, Owner>();
  private runningNow = 0;
  private waitingBytes = 0;
  private count = 0;

  constructor(
    private readonly all: TurnBounds,
    private readonly one: TurnBounds,
  ) {}

  /** Pieces that have their turn. */
  get running(): number {
    return this.runningNow;
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.count;
  }

  /**
   * Asks for a turn.
   * @param bytes what the piece of work holds while it waits.
   * @param begin is called when its turn has come: at once where there is room, and never after it has left.
   * @returns undefined when the queue, or the owner's part of it, is full.
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

  /** Lets those begin whose turn it is; an owner that had one goes behind the others. */
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

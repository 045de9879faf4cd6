/**
 * Concurrency limits for outgoing requests: per process, per workspace and per host, so that neither we nor a tenant
 * through us overloads a host, and no workspace uses all of our capacity.
 */
import { awaitTurn, isTurn } from '../threads/awaited-turn.js';
import { Turns, type TurnBounds } from '../threads/turns.js';
import { OutboundError } from './outbound-error.js';

export interface LineBounds {
  /** Maximum concurrent requests, in total and per owner. */
  readonly running: number;
  readonly runningOfOne: number;
  /** Maximum waiting requests, in total and per owner. */
  readonly waiting: number;
  readonly waitingOfOne: number;
  /** Maximum wait in milliseconds of real time. */
  readonly patience: number;
}

/** A semaphore with a queue; owners take turns. */
export class Line {
  private readonly turns: Turns;

  constructor(private readonly bounds: LineBounds) {
    const { running, runningOfOne, waiting, waitingOfOne } = bounds;
    this.turns = new Turns(weightless(running, waiting), weightless(runningOfOne, waitingOfOne));
  }

  /** Whether it has no running and no waiting requests. */
  get isIdle(): boolean {
    return this.turns.running === 0 && this.turns.waiting === 0;
  }

  /**
   * Waits for a permit.
   * @returns a function that releases the permit; further calls do nothing.
   * @throws OutboundError busy, aborted.
   */
  async turn(owner: string, signal: AbortSignal): Promise<() => void> {
    const turn = await awaitTurn(this.turns, { owner, patience: this.bounds.patience, signal });
    if (isTurn(turn)) return () => turn.leave();
    if (turn === 'aborted') throw new OutboundError('aborted', 'The wait was cancelled.');
    throw new OutboundError(
      'busy',
      turn === 'full'
        ? 'Too many requests are already waiting.'
        : 'The request waited too long for its turn.',
    );
  }
}

/** A semaphore per name; idle ones are discarded. */
export class Lines {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly bounds: LineBounds) {}

  /** As Line.turn, on the semaphore with this name. */
  async turn(door: string, owner: string, signal: AbortSignal): Promise<() => void> {
    const line = this.lines.get(door) ?? new Line(this.bounds);
    this.lines.set(door, line);
    const forget = (): void => {
      if (line.isIdle) this.lines.delete(door);
    };
    try {
      const leave = await line.turn(owner, signal);
      return () => {
        leave();
        forget();
      };
    } catch (error) {
      forget();
      throw error;
    }
  }
}

function weightless(running: number, waiting: number): TurnBounds {
  return { running, waiting, waitingBytes: 0 };
}

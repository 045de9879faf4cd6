/**
 * Waiting for one's turn to reach out: so much at a time for the process, for a workspace, and to one host, so that neither
 * we nor anybody through us occupies a host, and no workspace all of us.
 */
import { awaitTurn, isTurn } from '../threads/awaited-turn.js';
import { Turns, type TurnBounds } from '../threads/turns.js';
import { OutboundError } from './outbound-error.js';

export interface LineBounds {
  /** At a time, of all and of one owner. */
  readonly running: number;
  readonly runningOfOne: number;
  /** How many may wait, of all and of one owner. */
  readonly waiting: number;
  readonly waitingOfOne: number;
  /** Milliseconds of real time that one waits. */
  readonly patience: number;
}

/** A line before one door; owners take turns. */
export class Line {
  private readonly turns: Turns;

  constructor(private readonly bounds: LineBounds) {
    const { running, runningOfOne, waiting, waitingOfOne } = bounds;
    this.turns = new Turns(weightless(running, waiting), weightless(runningOfOne, waitingOfOne));
  }

  /** Whether nobody is in it or behind it. */
  get isIdle(): boolean {
    return this.turns.running === 0 && this.turns.waiting === 0;
  }

  /**
   * Waits for a turn.
   * @returns gives it back; once is enough, and more do no harm.
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

/** A line before each of many doors; what is idle is forgotten. */
export class Lines {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly bounds: LineBounds) {}

  /** As Line.turn, before the door of this name. */
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

/**
 * Whose simulation runs, and for how long. Each takes the thread for seconds, though in slices that nobody else notices:
 * a workspace has one at a time and another that waits, a process few. Whoever waits is answered with a request of ten
 * seconds, so one that runs ends sooner while others wait: it answers what it has come to (`SimulationReport.complete`).
 */
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { assertAwaited, callerSignal } from '../../../platform/database/caller-signal.js';
import { Shares } from '../../../platform/database/shares.js';

const AT_A_TIME = { most: 2, mostOfOne: 1, mostWaitingOfOne: 1, patience: 5_000 } as const;
const RETRY_AFTER = 10;

/** Milliseconds of the thread that nobody notices. */
const SLICE = 8;

/** How long a simulation may take, in milliseconds of real time. */
export interface SimulationTime {
  /** From when it is asked for, its waiting among them, until nothing more is simulated. */
  readonly longest: number;
  /** From when it begins, while others wait. */
  readonly whileAwaited: number;
}

/** A request has ten seconds, in which the sample is to be rendered, too. */
export const TIME_OF_REQUEST: SimulationTime = { longest: 8_000, whileAwaited: 3_000 };
export const NO_END: SimulationTime = {
  longest: Number.POSITIVE_INFINITY,
  whileAwaited: Number.POSITIVE_INFINITY,
};

@Injectable()
export class SimulationTurns {
  private readonly shares = new Shares(AT_A_TIME);

  /**
   * Simulates when it is the workspace's turn.
   * @throws DomainError rate_limit_exceeded with retry_after where the turn does not come in time, or another of the
   *   workspace waits already.
   */
  async take<Result>(
    workspaceId: string,
    time: SimulationTime,
    simulate: (turn: SimulationTurn) => Promise<Result>,
  ): Promise<Result> {
    const asked = performance.now();
    const end = await this.shares.wait(workspaceId, callerSignal());
    try {
      assertAwaited();
      if (end) return await simulate(new SimulationTurn(asked, time, () => this.shares.isAwaited));
    } finally {
      end?.();
    }
    throw new DomainError(
      'rate_limit_exceeded',
      'Other simulations are running: try again when they have finished.',
      { retry_after: RETRY_AFTER },
    );
  }
}

/** Lets others have the thread between slices of a simulation, and ends it when nobody waits for it any more. */
export class SimulationTurn {
  private begun = performance.now();
  private readonly since = this.begun;

  constructor(
    private readonly asked: number,
    private readonly time: SimulationTime,
    private readonly isAwaited: () => boolean,
  ) {}

  /** Whether nothing more is to be simulated. */
  get isOver(): boolean {
    const now = performance.now();
    const { longest, whileAwaited } = this.time;
    return now - this.asked >= longest || (this.isAwaited() && now - this.since >= whileAwaited);
  }

  /**
   * Does the work piece by piece.
   * @returns whether it came to its end before its time was over.
   */
  async drive(work: Generator<void>): Promise<boolean> {
    for (;;) {
      if (work.next().done) return true;
      if (this.isOver) return false;
      if (performance.now() - this.begun <= SLICE) continue;
      await setImmediate();
      assertAwaited();
      this.begun = performance.now();
    }
  }
}

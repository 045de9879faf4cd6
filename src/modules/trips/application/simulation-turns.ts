/**
 * Decides which simulation runs, and for how long. A simulation occupies the thread for seconds, in slices too short
 * to disturb others. A workspace runs one at a time and may queue one more; a process runs only a few. A request
 * lasts ten seconds at most, so a running simulation stops sooner while others wait, and returns a partial report
 * (`SimulationReport.complete`).
 */
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { assertAwaited, callerSignal } from '../../../platform/database/caller-signal.js';
import { Shares } from '../../../platform/database/shares.js';

const AT_A_TIME = { most: 2, mostOfOne: 1, mostWaitingOfOne: 1, patience: 5_000 } as const;
const RETRY_AFTER = 10;

/** Milliseconds that one slice may block the thread. */
const SLICE = 8;

/** How long a simulation may take, in milliseconds of real time. */
export interface SimulationTime {
  /** From the request, including the time in the queue, until the simulation stops. */
  readonly longest: number;
  /** From the start of the simulation, while others wait. */
  readonly whileAwaited: number;
}

/** A request lasts ten seconds, and rendering the sample must fit into them. */
export const TIME_OF_REQUEST: SimulationTime = { longest: 8_000, whileAwaited: 3_000 };
export const NO_END: SimulationTime = {
  longest: Number.POSITIVE_INFINITY,
  whileAwaited: Number.POSITIVE_INFINITY,
};

@Injectable()
export class SimulationTurns {
  private readonly shares = new Shares(AT_A_TIME);

  /**
   * Runs the simulation when it is the workspace's turn.
   * @throws DomainError rate_limit_exceeded with retry_after if the turn does not come in time, or if another
   * simulation of the workspace already waits.
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

/** Yields the thread to others between slices of a simulation, and stops it when its caller no longer waits. */
export class SimulationTurn {
  private begun = performance.now();
  private readonly since = this.begun;

  constructor(
    private readonly asked: number,
    private readonly time: SimulationTime,
    private readonly isAwaited: () => boolean,
  ) {}

  /** Whether the simulation must stop. */
  get isOver(): boolean {
    const now = performance.now();
    const { longest, whileAwaited } = this.time;
    return now - this.asked >= longest || (this.isAwaited() && now - this.since >= whileAwaited);
  }

  /**
   * Runs the work piece by piece.
   * @returns whether the work was completed before its time ran out.
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

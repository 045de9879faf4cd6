/**
 * Decides which simulation runs, and for how long. A simulation occupies the thread for seconds, in slices too short
 * to disturb others. A workspace runs one at a time and may queue one more; a process runs only a few. A request
 * lasts ten seconds at most, so a running simulation stops sooner while others wait, and returns a partial report
 * (`SimulationReport.complete`).
 */
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.js';
import { assertCallerWaiting } from '../../../platform/database/caller-signal.js';
import { withPermit } from '../../../platform/database/with-permit.js';

const CONCURRENCY_LIMITS = {
  maxPermits: 2,
  maxPerOwner: 1,
  maxWaitingPerOwner: 1,
  maxWaitMs: 5_000,
  order: 'fewest_running',
} as const;
const RETRY_AFTER_SECONDS = 10;

/** Milliseconds that one slice may block the thread. */
const SLICE_MS = 8;

/** How long a simulation may take, in milliseconds of real time. */
export interface SimulationTimeLimits {
  /** From the request, including the time in the queue, until the simulation stops. */
  readonly maxMs: number;
  /** From the start of the simulation, while others wait. */
  readonly maxMsWhileAwaited: number;
}

/** A request lasts ten seconds, and rendering the sample must fit into them. */
export const REQUEST_TIME_LIMITS: SimulationTimeLimits = { maxMs: 8_000, maxMsWhileAwaited: 3_000 };
export const NO_TIME_LIMITS: SimulationTimeLimits = {
  maxMs: Number.POSITIVE_INFINITY,
  maxMsWhileAwaited: Number.POSITIVE_INFINITY,
};

@Injectable()
export class SimulationScheduler {
  private readonly permits = new FairSemaphore(CONCURRENCY_LIMITS);

  /**
   * Runs the simulation when it is the workspace's turn.
   * @throws DomainError rate_limit_exceeded with retry_after if the turn does not come in time, or if another
   * simulation of the workspace already waits.
   */
  async run<Result>(
    workspaceId: string,
    limits: SimulationTimeLimits,
    simulate: (slicer: SimulationTimeSlicer) => Promise<Result>,
  ): Promise<Result> {
    const requestedAt = performance.now();
    const hasWaiting = (): boolean => this.permits.waiting > 0;
    return withPermit(
      this.permits,
      workspaceId,
      () => simulate(new SimulationTimeSlicer(requestedAt, limits, hasWaiting)),
      tooManySimulations,
    );
  }
}

/** Yields the thread to others between slices of a simulation, and stops it when its caller no longer waits. */
export class SimulationTimeSlicer {
  private sliceStartedAt = performance.now();
  private readonly startedAt = this.sliceStartedAt;

  constructor(
    private readonly requestedAt: number,
    private readonly limits: SimulationTimeLimits,
    private readonly hasWaiting: () => boolean,
  ) {}

  /** Whether the simulation must stop. */
  get isOver(): boolean {
    const now = performance.now();
    const { maxMs, maxMsWhileAwaited } = this.limits;
    return (
      now - this.requestedAt >= maxMs || (this.hasWaiting() && now - this.startedAt >= maxMsWhileAwaited)
    );
  }

  /**
   * Runs the work piece by piece.
   * @returns whether the work was completed before its time ran out.
   */
  async runSlices(work: Generator<void>): Promise<boolean> {
    for (;;) {
      if (work.next().done) return true;
      if (this.isOver) return false;
      if (performance.now() - this.sliceStartedAt <= SLICE_MS) continue;
      await setImmediate();
      assertCallerWaiting();
      this.sliceStartedAt = performance.now();
    }
  }
}

function tooManySimulations(): DomainError {
  return new DomainError(
    'rate_limit_exceeded',
    'Other simulations are running: try again when they have finished.',
    { retry_after: RETRY_AFTER_SECONDS },
  );
}

/** What a decision of the engine makes of a trip's row: the only place where the two meet. */
import type { Decision } from './advance.js';
import type { TripStatus } from './trip-transitions.js';

export interface DecidedState {
  readonly status: TripStatus;
  readonly lastStep: number;
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

const ENDED = { complete: 'completed', terminate: 'terminated', fail: 'failed' } as const;

/** The state of a trip after a decision that was made at `now`. */
export function stateAfter(decision: Decision, now: Date): DecidedState {
  const going = { lastStep: decision.lastStep, completedAt: null, endedReason: null };
  switch (decision.kind) {
    case 'park':
      return { ...going, status: 'paused', resumeAt: decision.resumeAt };
    case 'send':
      return { ...going, status: 'awaiting_send', resumeAt: null };
    case 'complete':
    case 'terminate':
    case 'fail':
      return {
        lastStep: decision.lastStep,
        status: ENDED[decision.kind],
        resumeAt: null,
        completedAt: now,
        endedReason: decision.reason,
      };
  }
}

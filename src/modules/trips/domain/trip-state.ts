/** What a decision of the engine makes of a trip's row: the only place where the two meet. */
import type { Decision } from './advance.js';
import type { TripStatus } from './trip-transitions.js';

export interface DecidedState {
  readonly status: TripStatus;
  readonly step: number;
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

/** The state of a trip after a decision that was made at `now`. */
export function stateAfter(decision: Decision, now: Date): DecidedState {
  const going = { step: decision.step, completedAt: null, endedReason: null };
  switch (decision.kind) {
    case 'park':
      return { ...going, status: 'paused', resumeAt: decision.resumeAt };
    case 'send':
      return { ...going, status: 'awaiting_send', resumeAt: null };
    case 'complete':
      return {
        step: decision.step,
        status: 'completed',
        resumeAt: null,
        completedAt: now,
        endedReason: decision.reason,
      };
    case 'fail':
      return {
        step: decision.step,
        status: 'failed',
        resumeAt: null,
        completedAt: now,
        endedReason: decision.reason,
      };
  }
}

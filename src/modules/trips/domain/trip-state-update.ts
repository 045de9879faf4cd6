/** Converts a decision of the engine into the state of a trip's row. No other code does so. */
import type { Decision } from './decision.js';
import type { Trip, TripState } from './trip.js';
import type { TripStatus } from './trip-transitions.js';

export type TripStateUpdate = Omit<TripState, keyof Omit<Trip, 'lastStep'>>;

const END_STATUSES = { complete: 'completed', terminate: 'terminated', fail: 'failed' } as const;

/** The state of a trip after a decision made at `now`. */
export function stateAfter(decision: Decision, now: Date): TripStateUpdate {
  switch (decision.kind) {
    case 'park':
      return inFlightState('paused', decision.lastStep, decision.resumeAt);
    case 'send':
      return inFlightState('awaiting_send', decision.lastStep, null);
    case 'complete':
    case 'terminate':
    case 'fail':
      return {
        lastStep: decision.lastStep,
        status: END_STATUSES[decision.kind],
        resumeAt: null,
        completedAt: now,
        endedReason: decision.reason,
      };
  }
}

function inFlightState(status: TripStatus, lastStep: number, resumeAt: Date | null): TripStateUpdate {
  return { status, lastStep, resumeAt, completedAt: null, endedReason: null };
}

/** A trip, section 2.12: one contact's run through a flow. */
import type { TripStatus } from './trip-transitions.js';

export interface Trip {
  readonly id: string;
  readonly flowId: string;
  /** The version that the trip started on, and stays on whatever becomes of the flow. */
  readonly flowVersion: number;
  readonly contactId: string;
  readonly triggerEventId: string;
  /** The id of the step that it took last, in its version of the flow; 0 before the first. */
  readonly lastStep: number;
  readonly startedAt: Date;
}

/** A trip that is over. */
export interface EndedTrip extends Trip {
  readonly status: TripStatus;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

/** Why a trip was ended from outside, before its flow's end. */
export type TripEndReason = 'flow_stopped' | 'contact_deleted' | 'goal_conversion' | 'ended_by_hand';

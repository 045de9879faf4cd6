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

/** A trip with what decisions make of it. */
export interface TripState extends Trip {
  readonly status: TripStatus;
  /** When the engine is to look at it again; null while something else must happen first. */
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

/** A trip that is over. */
export type EndedTrip = Omit<TripState, 'resumeAt'>;

/** Why a trip was ended from outside, before its flow's end. */
export type TripEndReason = 'flow_stopped' | 'contact_deleted' | 'goal_conversion' | 'ended_by_hand';

/** A trip, section 2.12: one contact's run through a flow. */
import type { TripStatus } from './trip-transitions.js';

export interface Trip {
  readonly id: string;
  readonly flowId: string;
  /** The version that the trip started on and follows until its end, whatever happens to the flow. */
  readonly flowVersion: number;
  readonly contactId: string;
  readonly triggerEventId: string;
  /** The id of the last step that it took, in its version of the flow; 0 before the first. */
  readonly lastStep: number;
  readonly startedAt: Date;
}

/** A trip with the fields that decisions set. */
export interface TripState extends Trip {
  readonly status: TripStatus;
  /** When the engine next processes it; null while something else must happen first. */
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

/** A trip that is over. */
export type EndedTrip = Omit<TripState, 'resumeAt'>;

/** Why a trip was ended from outside, before its flow's end. */
export type TripEndReason = 'flow_stopped' | 'contact_deleted' | 'goal_conversion' | 'ended_by_hand';

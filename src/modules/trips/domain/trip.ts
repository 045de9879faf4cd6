/** A trip, section 2.12: one contact's run through a flow. */
import type { TripStatus } from './trip-transitions.js';

export interface Trip {
  readonly id: string;
  readonly flowId: string;
  /** The version that the trip started on, and stays on whatever becomes of the flow. */
  readonly flowVersion: number;
  readonly contactId: string;
  readonly triggerEventId: string;
  /** Index of the step that comes next. */
  readonly step: number;
  readonly startedAt: Date;
}

/** A trip that is over. */
export interface EndedTrip extends Trip {
  readonly status: TripStatus;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

/** A trip, section 2.12: one contact's run through a flow. */

/**
 * - `active`: the engine takes it further as soon as it can.
 * - `paused`: parked on a wait step until `resumeAt`.
 * - `awaiting_send`: a message of it is on its way; its fate, whatever it is, takes the trip further.
 * - `completed`, `stopped`, `failed`: over; `endedReason` says why.
 */
export type TripStatus = 'active' | 'paused' | 'awaiting_send' | 'completed' | 'stopped' | 'failed';

/** The statuses of a trip that is not over; the contract's "in-flight". */
export const IN_FLIGHT: readonly TripStatus[] = ['active', 'paused', 'awaiting_send'];

/** A trip that is over. */
export interface EndedTrip {
  readonly id: string;
  readonly flowId: string;
  readonly contactId: string;
  readonly status: TripStatus;
  readonly endedReason: string | null;
}

export interface Trip {
  readonly id: string;
  readonly flowId: string;
  /** The version that the trip started on, and stays on whatever becomes of the flow. */
  readonly flowVersion: number;
  readonly contactId: string;
  readonly triggerEventId: string;
  /** Index of the step that comes next. */
  readonly step: number;
}

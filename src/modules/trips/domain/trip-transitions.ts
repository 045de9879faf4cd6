/** The states of a trip, section 2.12, and how one follows another. */

/**
 * - `active`: the engine takes it further as soon as it can.
 * - `paused`: parked on a wait step until `resumeAt`.
 * - `awaiting_send`: a message of it is on its way; its fate, whatever it is, takes the trip further.
 * - `completed`, `terminated`, `failed`: over; `endedReason` says why.
 */
export const TRIP_STATUSES = [
  'active',
  'paused',
  'awaiting_send',
  'completed',
  'terminated',
  'failed',
] as const;

export type TripStatus = (typeof TRIP_STATUSES)[number];

/** What the engine makes of a trip that it looks at; also of one that has just started, whose first steps it takes at once. */
export const DECIDED: readonly TripStatus[] = [
  'paused',
  'awaiting_send',
  'completed',
  'terminated',
  'failed',
];

export const TRIP_TRANSITIONS: Readonly<Record<TripStatus, readonly TripStatus[]>> = {
  active: DECIDED,
  // The wait is over, or somebody ends the trip: a stopped flow, a conversion, a deleted contact.
  paused: DECIDED,
  // To active: the message has met its fate.
  awaiting_send: ['active', 'terminated'],
  completed: [],
  terminated: [],
  failed: [],
};

/** The statuses that a trip may come from to this one. */
export function statusesBefore(next: TripStatus): readonly TripStatus[] {
  return TRIP_STATUSES.filter((status) => TRIP_TRANSITIONS[status].includes(next));
}

/** The statuses of a trip that is not over; the contract's "in-flight". */
export const IN_FLIGHT: readonly TripStatus[] = TRIP_STATUSES.filter(
  (status) => TRIP_TRANSITIONS[status].length > 0,
);

/** The states of a trip, section 2.12, and the transitions between them. */

/**
 * - `active`: its message has an outcome, or a person has retried it after it failed, and the engine has not processed
 *   it since.
 * - `paused`: its last step was a wait, and the engine has not processed it since.
 * - `awaiting_send`: a message of it is on its way. Any outcome of the message advances the trip.
 * - `completed`, `terminated`, `failed`: over; `endedReason` says why.
 *
 * In `active` and `paused`, `resumeAt` is when the engine tries next: later than planned after a failed attempt, and null
 * once the trip is a dead letter.
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

/**
 * The states that the engine can give a trip it processes, including a new one, whose first steps it takes
 * immediately.
 */
export const DECIDED_STATUSES: readonly TripStatus[] = [
  'paused',
  'awaiting_send',
  'completed',
  'terminated',
  'failed',
];

/**
 * The transitions that the engine, messages and endings make. A person's retry also takes a trip from failed to active
 * (`TripMoveRepository.makeDue`). It is not listed, because `statusesBefore` and `IN_FLIGHT_STATUSES` derive from this table.
 */
export const TRIP_TRANSITIONS: Readonly<Record<TripStatus, readonly TripStatus[]>> = {
  active: DECIDED_STATUSES,
  // The wait is over, or the trip is ended: by a stopped flow, a conversion, a deleted contact or a person.
  paused: DECIDED_STATUSES,
  // To active: the message has an outcome.
  awaiting_send: ['active', 'terminated'],
  completed: [],
  terminated: [],
  failed: [],
};

/** The statuses from which a trip can reach this one. */
export function statusesBefore(next: TripStatus): readonly TripStatus[] {
  return TRIP_STATUSES.filter((status) => TRIP_TRANSITIONS[status].includes(next));
}

/** The statuses of a trip that is not over; the contract calls it "in-flight". */
export const IN_FLIGHT_STATUSES: readonly TripStatus[] = TRIP_STATUSES.filter(
  (status) => TRIP_TRANSITIONS[status].length > 0,
);

/** Rules for manual actions on trips, and why they are refused. Pure functions of trips that are locked. */
import type { RepetitionRefusal } from '../../delivery/domain/repetition.js';
import type { FlowStatus } from '../../flows/domain/flow.js';
import type { Trip } from './trip.js';
import { IN_FLIGHT_STATUSES, type TripStatus } from './trip-transitions.js';

export const MOVE_KINDS = ['skip_wait', 'end', 'retry_step', 'send_again'] as const;
/**
 * - `skip_wait`: a parked trip is due immediately; - `end`: a trip under way is over;
 * - `retry_step`: a trip that failed or was set aside continues with the step that it could not take;
 * - `send_again`: a failed message of it is requested again.
 */
export type MoveKind = (typeof MOVE_KINDS)[number];

/** A trip with the fields that decide which actions are possible. */
export interface MovableTrip extends Trip {
  readonly status: TripStatus;
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
}

export type MoveRefusal =
  | RepetitionRefusal
  | 'trip_not_found'
  | 'moved_on'
  | 'over'
  | 'not_waiting'
  | 'due_already'
  | 'set_aside'
  | 'nothing_failed'
  | 'flow_not_running'
  | 'another_under_way';

export interface RefusedTrip {
  readonly tripId: string;
  /** The reason, as a stable code. */
  readonly code: MoveRefusal;
}

/**
 * Whether the engine has advanced a trip since it was chosen.
 * @param chosen the trip's state when it was chosen, without a lock.
 */
export function hasMovedOn(chosen: MovableTrip, locked: MovableTrip): boolean {
  return chosen.status !== locked.status || chosen.lastStep !== locked.lastStep;
}

/**
 * Why a wait cannot be cut short; undefined if it can.
 * @param flowStatus of the trip's flow; undefined if it is gone.
 */
export function skipRefusal(
  { status, resumeAt }: MovableTrip,
  flowStatus: FlowStatus | undefined,
  now: Date,
): MoveRefusal | undefined {
  if (!IN_FLIGHT_STATUSES.includes(status)) return 'over';
  if (!isRunning(flowStatus)) return 'flow_not_running';
  if (status !== 'paused') return 'not_waiting';
  if (!resumeAt) return 'set_aside';
  return resumeAt <= now ? 'due_already' : undefined;
}

/** Why a trip cannot be ended; undefined if it can. */
export function endRefusal({ status }: MovableTrip): MoveRefusal | undefined {
  return IN_FLIGHT_STATUSES.includes(status) ? undefined : 'over';
}

/**
 * Those of the trips to be retried that conflict with another trip of their contact through the same flow: one that
 * is under way, or, if several failed, a later one of them.
 * @param withOtherInFlight ids of those whose contact has one under way.
 */
export function conflictingTrips(
  trips: readonly MovableTrip[],
  withOtherInFlight: ReadonlySet<string>,
): ReadonlySet<string> {
  const latest = new Map<string, MovableTrip>();
  for (const trip of trips) {
    const key = `${trip.flowId} ${trip.contactId}`;
    const other = latest.get(key);
    if (!other || isLater(trip, other)) latest.set(key, trip);
  }
  const first = new Set([...latest.values()].map(({ id }) => id));
  return new Set(trips.flatMap(({ id }) => (withOtherInFlight.has(id) || !first.has(id) ? [id] : [])));
}

function isLater(one: MovableTrip, other: MovableTrip): boolean {
  const later = one.startedAt.getTime() - other.startedAt.getTime();
  return later === 0 ? one.id > other.id : later > 0;
}

/** Whether trips of the flow continue. A stopped flow's trips do not, even if some are not yet recorded as ended. */
function isRunning(flowStatus: FlowStatus | undefined): boolean {
  return flowStatus === 'active' || flowStatus === 'paused';
}

export type RetryAction =
  | { readonly kind: 'refuse'; readonly code: MoveRefusal }
  /** It continues with the step that it could not take. */
  | { readonly kind: 'revive' }
  /** It was set aside, and is due again. */
  | { readonly kind: 'put_back' }
  /** The trip itself has not failed: its message is checked instead. */
  | { readonly kind: 'message' };

/** @param flowStatus of the trip's flow; undefined if it is gone. */
export function retryActionOf(
  { status, resumeAt }: MovableTrip,
  flowStatus: FlowStatus | undefined,
): RetryAction {
  if (status === 'terminated') return { kind: 'refuse', code: 'over' };
  if (!isRunning(flowStatus)) return { kind: 'refuse', code: 'flow_not_running' };
  if (status === 'failed') return { kind: 'revive' };
  const isDeadLetter = resumeAt === null && (status === 'active' || status === 'paused');
  return isDeadLetter ? { kind: 'put_back' } : { kind: 'message' };
}

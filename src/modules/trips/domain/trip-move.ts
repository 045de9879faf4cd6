/** How people move trips on by hand, and what is refused: pure, asked of trips that are locked. */
import type { RepetitionRefusal } from '../../delivery/domain/repetition.js';
import type { FlowStatus } from '../../flows/domain/flow.js';
import { IN_FLIGHT, type TripStatus } from './trip-transitions.js';

export const MOVE_KINDS = ['skip_wait', 'end', 'retry_step', 'send_again'] as const;
/**
 * - `skip_wait`: a parked trip is due at once; - `end`: a trip under way is over;
 * - `retry_step`: a trip that failed or was set aside goes on with the step that it could not take;
 * - `send_again`: a message of it that failed is asked for once more.
 */
export type MoveKind = (typeof MOVE_KINDS)[number];

/** What is left to a trip that a person wants to move. */
export interface MovableTrip {
  readonly id: string;
  readonly flowId: string;
  readonly status: TripStatus;
  readonly lastStep: number;
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly startedAt: Date;
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
  | 'flow_not_running';

export interface RefusedTrip {
  readonly tripId: string;
  /** Why, as a code that does not change. */
  readonly code: MoveRefusal;
}

/**
 * Whether the engine has taken a trip further since it was chosen.
 * @param chosen the trip as it stood when it was chosen, without a lock.
 */
export function hasMovedOn(chosen: MovableTrip, locked: MovableTrip): boolean {
  return chosen.status !== locked.status || chosen.lastStep !== locked.lastStep;
}

/** Why a wait cannot be cut short; undefined where it can. */
export function skipRefusal({ status, resumeAt }: MovableTrip, now: Date): MoveRefusal | undefined {
  if (!IN_FLIGHT.includes(status)) return 'over';
  if (status !== 'paused') return 'not_waiting';
  if (!resumeAt) return 'set_aside';
  return resumeAt <= now ? 'due_already' : undefined;
}

/** Why a trip cannot be ended; undefined where it can. */
export function endRefusal({ status }: MovableTrip): MoveRefusal | undefined {
  return IN_FLIGHT.includes(status) ? undefined : 'over';
}

export type Retry =
  | { readonly kind: 'refuse'; readonly code: MoveRefusal }
  /** It goes on with the step that it could not take. */
  | { readonly kind: 'revive' }
  /** It was set aside, and is due again. */
  | { readonly kind: 'put_back' }
  /** Nothing of the trip itself failed: its message is looked at. */
  | { readonly kind: 'message' };

/** @param flowStatus of the trip's flow; undefined when it is gone. */
export function retryOf({ status, resumeAt }: MovableTrip, flowStatus: FlowStatus | undefined): Retry {
  if (status === 'terminated') return { kind: 'refuse', code: 'over' };
  // A stopped flow has no trips under way.
  if (flowStatus !== 'active' && flowStatus !== 'paused') return { kind: 'refuse', code: 'flow_not_running' };
  if (status === 'failed') return { kind: 'revive' };
  const isSetAside = resumeAt === null && (status === 'active' || status === 'paused');
  return isSetAside ? { kind: 'put_back' } : { kind: 'message' };
}

/** A trip with all that is kept of it, for those who explain it. */
import type { TrailEntry } from './trail.js';
import type { Trip } from './trip.js';
import type { TripStatus } from './trip-transitions.js';

export interface KeptTrip extends Trip {
  readonly status: TripStatus;
  readonly resumeAt: Date | null;
  readonly completedAt: Date | null;
  readonly endedReason: string | null;
  readonly trail: readonly TrailEntry[];
}

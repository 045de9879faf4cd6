/** A trip with all that is kept of it, for those who explain it. */
import type { TrailEntry } from './trail.js';
import type { TripState } from './trip.js';

export interface KeptTrip extends TripState {
  readonly trail: readonly TrailEntry[];
}

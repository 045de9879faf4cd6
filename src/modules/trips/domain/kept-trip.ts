/** A trip with everything that is stored about it, for explanations. */
import type { TrailEntry } from './trail.js';
import type { TripState } from './trip.js';

export interface KeptTrip extends TripState {
  readonly trail: readonly TrailEntry[];
}

/** A trip with everything that is stored about it, for explanations. */
import type { HistoryEntry } from './trip-history.js';
import type { TripState } from './trip.js';

export interface TripWithHistory extends TripState {
  readonly history: readonly HistoryEntry[];
}

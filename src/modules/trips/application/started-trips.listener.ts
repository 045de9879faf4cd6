/** Announces that trips have started, once for each trip and before any other event about it. */
import { Listener } from '../../../platform/database/listener.js';
import type { Trip } from '../domain/trip.js';

export abstract class StartedTripsListener extends Listener<Trip> {}

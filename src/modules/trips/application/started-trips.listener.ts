/** Announces that trips have started, each once and before anything else is told of it. */
import { Listener } from '../../../platform/database/listener.js';
import type { Trip } from '../domain/trip.js';

export abstract class StartedTripsListener extends Listener<Trip> {}

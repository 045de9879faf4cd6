/** Announces that trips that were over are under way again, with the state before: how and when they had ended. */
import { Listener } from '../../../platform/database/listener.js';
import type { EndedTrip } from '../domain/trip.js';

export abstract class RevivedTripsListener extends Listener<EndedTrip> {}

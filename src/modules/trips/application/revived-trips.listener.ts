/** Announces that trips that were over are under way again, as they were: with how and when they had ended. */
import { Listener } from '../../../platform/database/listener.js';
import type { EndedTrip } from '../domain/trip.js';

export abstract class RevivedTripsListener extends Listener<EndedTrip> {}

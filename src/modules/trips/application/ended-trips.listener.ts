/** Announces that trips are over, whatever ended them: their last step, a stopped flow, a step that cannot be taken. */
import { Listener } from '../../../platform/database/listener.js';
import type { EndedTrip } from '../domain/trip.js';

export abstract class EndedTripsListener extends Listener<EndedTrip> {}

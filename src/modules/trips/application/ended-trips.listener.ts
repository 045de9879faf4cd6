/** Announces that trips are over, whatever the cause: the last step, a stopped flow, a step that cannot run. */
import { Listener } from '../../../platform/database/listener.js';
import type { EndedTrip } from '../domain/trip.js';

export abstract class EndedTripsListener extends Listener<EndedTrip> {}

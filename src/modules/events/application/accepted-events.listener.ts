/**
 * Announces accepted events once their contacts are brought up to date, in the order in which they came and each one
 * once, to whoever acts upon them: segments are asked again, flows start trips.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { AcceptedEvent } from '../domain/accepted-event.js';

export abstract class AcceptedEventsListener extends Listener<AcceptedEvent> {}

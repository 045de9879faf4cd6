/**
 * Announces accepted events to handlers, in the order of their arrival and each event once: segments are re-evaluated,
 * flows start trips. The events' contacts are updated first. If the plan had no capacity for an event's contact, the
 * event is announced without one. An event that became a dead letter is announced after it is requeued.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { AcceptedEvent } from '../domain/accepted-event.js';

export abstract class AcceptedEventsListener extends Listener<AcceptedEvent> {}

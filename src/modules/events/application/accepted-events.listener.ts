/**
 * Announces accepted events, in the order in which they came and each one once, to whoever acts upon them or counts them:
 * segments are asked again, flows start trips. Their contacts are brought up to date before; of an event whose contact
 * the plan had no room for is told that there is none. An event that is set aside is told of when it has been put back.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { AcceptedEvent } from '../domain/accepted-event.js';

export abstract class AcceptedEventsListener extends Listener<AcceptedEvent> {}

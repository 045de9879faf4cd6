/** The part of an event that templates read: the latest of its name, of one contact or of any. */
import type { JsonObject } from '../../../kernel/json.js';

export interface LatestEvent {
  readonly externalId: string;
  readonly eventName: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
}

/** The cost of reading the attributes of a contact's latest event of a name, in bytes. */
export interface WeighedEvent extends Pick<LatestEvent, 'externalId' | 'eventName'> {
  readonly bytes: number;
}

/** A latest event with its id. */
export interface IdentifiedEvent extends LatestEvent {
  readonly eventId: string;
}

/** What a template knows of an event: the latest of its name, of a contact or of anybody. */
import type { JsonObject } from '../../../kernel/json.js';

export interface LatestEvent {
  readonly externalId: string;
  readonly eventName: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
}

/** What reading the attributes of a contact's latest event of a name costs, in bytes. */
export interface WeighedEvent extends Pick<LatestEvent, 'externalId' | 'eventName'> {
  readonly bytes: number;
}

/** A latest event, and which one it is. */
export interface IdentifiedEvent extends LatestEvent {
  readonly eventId: string;
}

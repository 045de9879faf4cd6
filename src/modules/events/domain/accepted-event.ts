/** An accepted event as its handlers receive it, and as it is stored. */
import type { JsonObject } from '../../../kernel/json.js';

/** Bytes of JSON of its attributes and its contact fields. */
export const MAX_EVENT_BYTES = 65_536;

export interface AcceptedEvent {
  readonly id: string;
  readonly name: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
  /** The application's id of the person. A contact need not exist. */
  readonly externalId: string;
  /** Null if the plan had no capacity to create or restore the contact: the event is stored, and starts nothing. */
  readonly contactId: string | null;
  /** Whether there is an active contact. A deleted one is not. */
  readonly contactReachable: boolean;
}

/** An event whose contact exists, possibly deleted. */
export type EventOfContact = AcceptedEvent & { readonly contactId: string };

export function hasContact(event: AcceptedEvent): event is EventOfContact {
  return event.contactId !== null;
}

/** A stored event of a contact. */
export interface ContactEvent {
  readonly id: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  /** Null while it waits for processing. */
  readonly processedAt: Date | null;
}

/** An accepted event as whoever acts upon it or counts it hears of it. */
import type { JsonObject } from '../../../kernel/json.js';

export interface AcceptedEvent {
  readonly id: string;
  readonly name: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
  /** Whom it is about, by the application's name: there need be no contact. */
  readonly externalId: string;
  /** Null where the plan had no room to make the contact or to bring it back: the event stands, and starts nothing. */
  readonly contactId: string | null;
  /** Whether there is a contact that may be acted upon; a deleted one may not. */
  readonly contactReachable: boolean;
}

/** An event whose contact exists, be it deleted. */
export type EventOfContact = AcceptedEvent & { readonly contactId: string };

export function hasContact(event: AcceptedEvent): event is EventOfContact {
  return event.contactId !== null;
}

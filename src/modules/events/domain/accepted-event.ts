/** An accepted event as its handlers receive it. */
import type { JsonObject } from '../../../kernel/json.js';

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

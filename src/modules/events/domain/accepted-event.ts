/** An accepted event whose contact is known: what follows from events is decided of these. */
import type { JsonObject } from '../../../kernel/json.js';

export interface AcceptedEvent {
  readonly id: string;
  readonly name: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
  readonly contactId: string;
  /** Whether the contact may be acted upon at all; a deleted one may not. */
  readonly contactReachable: boolean;
}

/** A stored event of a contact. */
import type { JsonObject } from '../../../kernel/json.js';

export interface ContactEvent {
  readonly id: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  /** Null while it waits for processing. */
  readonly processedAt: Date | null;
}

/** An event of a contact as it is kept. */
import type { JsonObject } from '../../../kernel/json.js';

export interface KeptEvent {
  readonly id: string;
  readonly attributes: JsonObject;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  /** Null while it waits for its turn. */
  readonly processedAt: Date | null;
}

/** What a template knows of an event: the latest of its name, of a contact or of anybody. */
import type { JsonObject } from '../../../kernel/json.js';

export interface LatestEvent {
  readonly external_id: string;
  readonly event_name: string;
  readonly attributes: JsonObject;
  readonly occurred_at: Date;
}

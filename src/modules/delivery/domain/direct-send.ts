/** A message requested by the API, section 4.10 (`POST /v1/send`). */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { ContactInput } from '../../contacts/domain/read-contact.js';

export interface DirectSend {
  readonly templateSlug: string;
  /** The recipient, a contact that the request upserts. */
  readonly to: ContactInput;
  /** The attributes that the template reads as those of a trigger event. */
  readonly attributes: JsonObject;
  /** Null to use the template's own subject. */
  readonly subject: string | null;
  readonly contentType: ContentType;
  readonly idempotencyKey: string | null;
}

/** The result of a request for a message. */
export interface RequestedMessage {
  readonly emailLogId: string;
  readonly status: 'queued' | 'suppressed';
  /** Null for a queued message. */
  readonly suppressedReason: string | null;
}

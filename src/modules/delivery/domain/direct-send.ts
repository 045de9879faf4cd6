/** A message that a request asks for, section 4.10 (`POST /v1/send`). */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { ContactInput } from '../../contacts/domain/read-contact.js';

export interface DirectSend {
  readonly templateSlug: string;
  /** Whom it is for; the contact is upserted by it. */
  readonly to: ContactInput;
  /** What the template reads as a trigger event's attributes. */
  readonly attributes: JsonObject;
  /** Null where the template's own is to be used. */
  readonly subject: string | null;
  readonly contentType: ContentType;
  readonly idempotencyKey: string | null;
}

/** What came of a request for a message. */
export interface RequestedMessage {
  readonly emailLogId: string;
  readonly status: 'queued' | 'suppressed';
  /** Null of one that is queued. */
  readonly suppressedReason: string | null;
}

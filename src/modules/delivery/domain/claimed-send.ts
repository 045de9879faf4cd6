/** A message that this process has claimed, with everything about the tenant that its attempt needs. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { DeadLetterCode } from '../../dead-letters/domain/dead-letter.js';
import type { TrackedParts } from '../../tracking/domain/tracking-settings.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { PreferenceBlock } from '../../preferences/domain/preferences.js';
import type { SendOptions } from './email-log.js';
import type { EmailOriginKind } from './email-origin.js';
import type { GateRefusal } from './send-gates.js';
import type { SendOutcome } from './send-outcome.js';

export interface SendEvent {
  readonly eventName: string;
  readonly attributes: Record<string, unknown>;
}

export interface ClaimedSend {
  readonly id: string;
  readonly origin: EmailOriginKind;
  /** The flow or campaign of the message, whose throttle applies; null when it has none. */
  readonly sourceId: string | null;
  /**
   * The id of the flow step that requested this message, or that requested the message which this one repeats; null
   * if no step did.
   */
  readonly stepId: number | null;
  /** Whether it holds a slot of the throttle of `sourceId`. */
  readonly hasSlot: boolean;
  readonly contactId: string;
  readonly templateSlug: string;
  readonly contentType: ContentType;
  readonly options: SendOptions;
  readonly messageId: string;
  /** The transport of this attempt. A message that may have left before uses the same one again, if it is configured. */
  readonly transport: string;
  /** Attempts including this one. Together with the sender's number this identifies the attempt. */
  readonly attempts: number;
  readonly reissues: number;
  /** Since when the message could go: when it was queued, or when the last gate that held it opened. */
  readonly triedSince: Date;
  /** The number of the process that claimed the message (its advisory lock). */
  readonly sender: number;
  /** Null when the record is gone. */
  readonly contact: Contact | null;
  /** Whether the contact's identifier or address has opted out of mail. */
  readonly hasRefused: boolean;
  /** Why the contact's address is suppressed; null if it is not. */
  readonly suppressedFor: SuppressionReason | null;
  /** The contact's topic choice or pause against this message; null for mail that choices do not apply to. */
  readonly objection: PreferenceBlock | null;
  /** Why the gates keep the message from being sent at all. */
  readonly refusedBy: GateRefusal | null;
  /** Null if the trip was not started by an event, or the event was deleted. */
  readonly triggerEvent: SendEvent | null;
}

/** What was sent, or would have been; null for what was not decided. */
export interface SendRecord {
  readonly toEmail: string | null;
  readonly fromEmail: string | null;
  readonly subject: string | null;
  readonly templateVersion: number | null;
  readonly tracked: TrackedParts | null;
}

export const NOTHING_RECORDED: SendRecord = {
  toEmail: null,
  fromEmail: null,
  subject: null,
  templateVersion: null,
  tracked: null,
};

/** An attempt that has ended. */
export interface FinishedSend {
  readonly send: ClaimedSend;
  readonly outcome: SendOutcome;
  readonly record: SendRecord;
  /** Why it becomes a dead letter, if its failure is the product's own fault. */
  readonly deadLetterCode?: DeadLetterCode;
}

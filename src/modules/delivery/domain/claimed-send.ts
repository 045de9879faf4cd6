/** A message that this process has taken in hand, with everything that its attempt needs to know of the tenant. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { SetAsideCode } from '../../set-aside/domain/set-aside-work.js';
import type { TrackedParts } from '../../tracking/domain/tracking-settings.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { Objection } from '../../preferences/domain/preferences.js';
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
  /** The flow or campaign that it is of, and whose throttle it heeds; null when it is of none. */
  readonly sourceId: string | null;
  /** The id of the flow's step that asked for it, or for the message that it repeats; null when none did. */
  readonly stepId: number | null;
  /** Whether it holds a slot of that throttle. */
  readonly hasSlot: boolean;
  readonly contactId: string;
  readonly templateSlug: string;
  readonly contentType: ContentType;
  readonly options: SendOptions;
  readonly messageId: string;
  /** The transport that this attempt is made by: of a message that may have left before, the one that it left by. */
  readonly transport: string;
  /** Attempts including this one: with the sender's number it names the attempt. */
  readonly attempts: number;
  readonly reissues: number;
  /** Since when it might go: when it was queued, or when the last gate that held it has opened. */
  readonly triedSince: Date;
  /** Presence number under which the message was taken. */
  readonly sender: number;
  /** Null when the record is gone. */
  readonly contact: Contact | null;
  /** Whether mail was refused at the contact's identifier or address. */
  readonly hasRefused: boolean;
  /** Why the contact's address is on the list of suppressed ones; null where it is not. */
  readonly suppressedFor: SuppressionReason | null;
  /** What the contact has chosen against this message; null of mail that its choices are not about. */
  readonly objection: Objection | null;
  /** What the gates have found against its being sent at all. */
  readonly refusedBy: GateRefusal | null;
  /** Null when none started the trip, or it has been removed since. */
  readonly triggerEvent: SendEvent | null;
}

/** What was put on the wire, or would have been; null where it was not decided. */
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

/** An attempt that has come to its end. */
export interface FinishedSend {
  readonly send: ClaimedSend;
  readonly outcome: SendOutcome;
  readonly record: SendRecord;
  /** Why it is to stand among the set-aside work, where its failure is the product's own. */
  readonly setAside?: SetAsideCode;
}

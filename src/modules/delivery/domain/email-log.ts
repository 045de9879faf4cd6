/**
 * One message to one recipient, as the ledger keeps it (section 2.3, "email_send_settings", and 8.2): what the flow
 * engine asks for, and the identity that the message has on the wire from before its first attempt.
 */
import type { ContentType, EmailSendSettings } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import type { Engagement } from './engagement.js';
import type { EmailLogStatus } from './email-log-transitions.js';
import type { EmailOrigin } from './email-origin.js';
import type { Hold } from './send-gates.js';

/** What the step or the request that asked for the message says about it. */
export interface SendOptions {
  readonly subject?: string;
  readonly emailSendSettings?: Partial<EmailSendSettings>;
  /** Whom it is from, where it is not from the workspace's sender; what is absent is the workspace's. */
  readonly sender?: Sender;
  /** What it is made of, where its template was frozen when its sending began. */
  readonly frozenTemplateId?: string;
  /** What a request gives the template to read in place of a trigger event's attributes. Not among what is shown of a message. */
  readonly attributes?: JsonObject;
}

/** A message to be put into the ledger, `queued`. */
export interface NewEmailLog extends EmailOrigin {
  /** A UUIDv7 of the caller's. */
  readonly id: string;
  /** The flow or campaign that reports count the message under; null when it is of neither. */
  readonly sourceId: string | null;
  readonly contactId: string;
  readonly triggerEventId: string | null;
  readonly templateSlug: string;
  readonly contentType: ContentType;
  readonly options: SendOptions;
}

/** One of those who get the same message. */
export interface Recipient {
  /** The id that the message is to have: a UUIDv7 of the caller's. */
  readonly id: string;
  readonly contactId: string;
  /** When it may go at the earliest. */
  readonly at: Date;
}

/** What messages of a fan-out have in common. */
export type SharedMessage = Omit<NewEmailLog, 'id' | 'contactId' | 'triggerEventId'>;

/** A message as it stands in the ledger. */
export interface EmailLog extends NewEmailLog, Engagement {
  readonly status: EmailLogStatus;
  /** What it bore to be tracked by: the sum of TRACKED of tracking/domain/tracking-settings. */
  readonly tracked: number;
  readonly messageId: string;
  /** When it may go at the earliest. */
  readonly nextAttemptAt: Date;
  /** What holds it back, while it is queued. */
  readonly waitsFor: Hold | null;
  /** Until when a gate has held it back last; null when none did. */
  readonly heldUntil: Date | null;
  /** When it used a slot of its flow's throttle; null when it did not. */
  readonly slotAt: Date | null;
  readonly templateVersion: number | null;
  readonly toEmail: string | null;
  readonly fromEmail: string | null;
  readonly subject: string | null;
  readonly attempts: number;
  readonly reissues: number;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly suppressedReason: string | null;
  /** The transport that it was handed to last; null before its first attempt, and where it is suppressed. */
  readonly transport: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly sentAt: Date | null;
}

/** What a message has come to, for whom and of what, and what it was before. */
export interface MessageState extends Pick<
  EmailLog,
  'id' | 'sourceId' | 'contactId' | 'contentType' | 'status' | 'tracked' | keyof EmailOrigin
> {
  /** The status that it has left for this one. */
  readonly before: EmailLogStatus;
  /** When it was charged to the month's emails; null while it is not. */
  readonly chargedAt: Date | null;
  /** When it did. */
  readonly at: Date;
}

/** The Message-ID header of a log's message: the same for every attempt, so that receivers can tell repetitions. */
export function messageIdOf(logId: string, sendingDomain: string): string {
  return `<${logId}@${sendingDomain}>`;
}

/** The queue's order: the lower goes first (section 2.3: transactional is high priority, promotional is low). */
export function priorityOf(contentType: ContentType): number {
  return contentType === 'transactional' ? 0 : 1;
}

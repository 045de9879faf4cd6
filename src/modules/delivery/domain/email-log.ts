/**
 * One message to one recipient, as the ledger stores it (section 2.3, "email_send_settings", and 8.2): what
 * was requested, and the identity that the message has on the wire from its first attempt.
 */
import type { ContentType, EmailSendSettings } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import type { Engagement } from './engagement.js';
import type { EmailLogStatus } from './email-log-transitions.js';
import type { EmailOrigin } from './email-origin.js';
import type { Hold } from './send-gates.js';

/** What the step or request says about its message. */
export interface SendOptions {
  readonly subject?: string;
  readonly emailSendSettings?: Partial<EmailSendSettings>;
  /** The sender, if it differs from the workspace's sender. Absent fields are the workspace's. */
  readonly sender?: Sender;
  /** The template version that was frozen when sending started, if any. */
  readonly frozenTemplateId?: string;
  /**
   * Attributes from the request that the template reads in place of a trigger event's. They are not shown with the
   * message.
   */
  readonly attributes?: JsonObject;
}

/** A message to be added to the ledger as `queued`. */
export interface NewEmailLog extends EmailOrigin {
  /** A UUIDv7 from the caller. */
  readonly id: string;
  /** The flow or campaign under which reports count the message; null for neither. */
  readonly sourceId: string | null;
  readonly contactId: string;
  readonly triggerEventId: string | null;
  readonly templateSlug: string;
  readonly contentType: ContentType;
  readonly options: SendOptions;
}

/** One recipient of a message to many contacts. */
export interface Recipient {
  /** The id of the message: a UUIDv7 from the caller. */
  readonly id: string;
  readonly contactId: string;
  /** When the message may go at the earliest. */
  readonly at: Date;
}

/** What messages of a fan-out have in common. */
export type SharedMessage = Omit<NewEmailLog, 'id' | 'contactId' | 'triggerEventId'>;

/** A message as the ledger has it. */
export interface EmailLog extends NewEmailLog, Engagement {
  readonly status: EmailLogStatus;
  /** The tracking that the message carried: the sum of TRACKED of tracking/domain/tracking-settings. */
  readonly tracked: number;
  readonly messageId: string;
  /** When the message may go at the earliest. */
  readonly nextAttemptAt: Date;
  /** What holds the message while it is queued. */
  readonly waitsFor: Hold | null;
  /** The end of the last hold by a gate; null if there was none. */
  readonly heldUntil: Date | null;
  /** When the message used a slot of its flow's throttle; null if it did not. */
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
  /** The transport of the last attempt. Null before the first attempt, and for suppressed messages. */
  readonly transport: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly sentAt: Date | null;
}

/** The new and the previous status of a message, with its recipient and origin. */
export interface MessageState extends Pick<
  EmailLog,
  'id' | 'sourceId' | 'contactId' | 'contentType' | 'status' | 'tracked' | keyof EmailOrigin
> {
  /** The previous status. */
  readonly before: EmailLogStatus;
  /** When it was charged to the month's emails; null while it is not. */
  readonly chargedAt: Date | null;
  /** When the status changed. */
  readonly at: Date;
}

/** The Message-ID header of a message: the same for every attempt, so that receivers can recognise repetitions. */
export function messageIdOf(logId: string, sendingDomain: string): string {
  return `<${logId}@${sendingDomain}>`;
}

/** The order of the queue: lower values go first (section 2.3: transactional is high priority, promotional is low). */
export function priorityOf(contentType: ContentType): number {
  return contentType === 'transactional' ? 0 : 1;
}

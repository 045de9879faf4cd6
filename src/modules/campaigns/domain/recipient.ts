/** Whom a campaign is for, and what became of it, campaigns.md "Looking". */
import type { EmailLogStatus } from '../../delivery/domain/email-log-transitions.js';

export const RECIPIENT_STATUSES = [
  'pending',
  'sent',
  'failed',
  'suppressed',
  'skipped',
  'cancelled',
  'unknown',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

export interface Recipient {
  readonly contactId: string;
  /** Null once the contact is erased. */
  readonly externalId: string | null;
  readonly email: string | null;
  readonly status: RecipientStatus;
  /** Why it got none: of a skipped, suppressed or failed one. */
  readonly reason: string | null;
  /** The name of its variant; null where there is none, or none yet. */
  readonly variant: string | null;
  readonly emailLogId: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
  readonly bouncedAt: Date | null;
}

/** A recipient in a list: those are in the order of instances and contacts. */
export interface PlacedRecipient extends Recipient {
  readonly instanceId: string;
}

/** What a message's status says of its recipient; what waits of an instance that is cancelled is called off already. */
export function recipientStatus(status: EmailLogStatus, isCancelled: boolean): RecipientStatus {
  if (status === 'queued') return isCancelled ? 'cancelled' : 'pending';
  return status === 'sending' ? 'pending' : status;
}

/** The statuses of messages that a recipient's status is told by. */
export function messageStatuses(status: RecipientStatus, isCancelled: boolean): EmailLogStatus[] {
  switch (status) {
    case 'pending':
      return isCancelled ? ['sending'] : ['queued', 'sending'];
    case 'cancelled':
      return isCancelled ? ['queued', 'cancelled'] : ['cancelled'];
    case 'skipped':
      return [];
    default:
      return [status];
  }
}

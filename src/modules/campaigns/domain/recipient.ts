/** A recipient of a campaign and the outcome of its message, campaigns.md "Looking". */
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
  /** Why it got no message: for a skipped, suppressed or failed recipient. */
  readonly reason: string | null;
  /** The name of its variant; null if there is none, or none yet. */
  readonly variant: string | null;
  readonly emailLogId: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
  readonly bouncedAt: Date | null;
}

/** A recipient in a list. Lists are sorted by instance and contact. */
export interface ListedRecipient extends Recipient {
  readonly instanceId: string;
}

/**
 * Maps a message's status to the status of its recipient. Waiting messages of a cancelled instance count as cancelled.
 */
export function recipientStatus(status: EmailLogStatus, isCancelled: boolean): RecipientStatus {
  if (status === 'queued') return isCancelled ? 'cancelled' : 'pending';
  return status === 'sending' ? 'pending' : status;
}

/** The message statuses that map to a recipient status. */
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

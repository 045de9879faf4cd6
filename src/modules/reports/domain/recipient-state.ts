/** Whether a scheduled report is sent to an address, and how often an address may be sent a confirmation request. */
import { DAY } from '../../../kernel/duration.js';

/** The statuses that are stored for an address. */
export const STORED_STATUSES = ['pending', 'confirmed', 'stopped', 'bounced', 'complained'] as const;
export type StoredStatus = (typeof STORED_STATUSES)[number];
/** `suppressed` follows from the workspace's suppression list. */
export const RECIPIENT_STATUSES = [...STORED_STATUSES, 'suppressed'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** Maximum number of confirmation requests of a workspace in any 24 hours, and of these to one address. */
export const MAX_CONFIRMATIONS = 50;
export const MAX_CONFIRMATIONS_TO_ONE = 3;
/** Maximum number of confirmation requests to one address for one schedule, ever, and the minimum time between two. */
const MAX_REPEATS = 3;
const REPEAT_AFTER_MS = 7 * DAY;

export interface StoredRecipient {
  readonly id: string;
  readonly reportId: string;
  readonly address: string;
  readonly status: StoredStatus;
  readonly confirmationsSent: number;
  readonly askedAt: Date | null;
  readonly changedAt: Date;
}

/** The other inputs of an address's status. */
export interface RecipientConditions {
  readonly isMember: boolean;
  readonly isSuppressed: boolean;
  /** Whether the address has reported mail of any of the workspace's reports as spam. */
  readonly hasComplained: boolean;
}

/** Members of the workspace need not confirm. */
export function statusOf(
  stored: Pick<StoredRecipient, 'status'> | undefined,
  { isMember, isSuppressed, hasComplained }: RecipientConditions,
): RecipientStatus {
  const status = stored?.status ?? 'pending';
  if (status !== 'pending' && status !== 'confirmed') return status;
  if (hasComplained && status === 'pending') return 'complained';
  if (isSuppressed) return 'suppressed';
  return isMember ? 'confirmed' : status;
}

/**
 * Whether a pending address may be sent a confirmation request for a schedule.
 * @param wasJustAdded whether a user has just added the address to the schedule. Otherwise it gets only one request.
 */
export function mayRequestConfirmation(
  stored: Pick<StoredRecipient, 'confirmationsSent' | 'askedAt'> | undefined,
  wasJustAdded: boolean,
  now: Date,
): boolean {
  if (!stored?.askedAt) return true;
  return (
    wasJustAdded &&
    stored.confirmationsSent < MAX_REPEATS &&
    now.getTime() - stored.askedAt.getTime() >= REPEAT_AFTER_MS
  );
}

/**
 * Returns the addresses that may be sent a confirmation request within the workspace's limits.
 * @param recent the addresses that were sent one in the last 24 hours, once per mail.
 */
export function withinConfirmationLimits(addresses: readonly string[], recent: readonly string[]): string[] {
  const sentCounts = new Map<string, number>();
  for (const address of recent) sentCounts.set(address, (sentCounts.get(address) ?? 0) + 1);
  return addresses
    .filter((address) => (sentCounts.get(address) ?? 0) < MAX_CONFIRMATIONS_TO_ONE)
    .slice(0, Math.max(0, MAX_CONFIRMATIONS - recent.length));
}

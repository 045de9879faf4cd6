/**
 * Limits on the mail that reports may send: recipients can be anyone, and the mail is sent in the product's name. Mail
 * over a limit is dropped, not delayed; the schedule continues with its next date.
 */
import { DAY } from '../../../kernel/duration.js';
import { addressKey as suppressionKey } from '../../suppressions/domain/suppression.js';
import type { ReportRecipient } from './schedule.js';

/** Maximum number of report emails of a workspace in any 24 hours. */
export const MAX_REPORT_EMAILS_PER_DAY = 500;
/** Maximum number of these to one address. */
export const MAX_REPORT_EMAILS_PER_ADDRESS = 25;
/** The length of the window in milliseconds. */
export const LIMIT_WINDOW_MS = DAY;

/** A canonical form of an address: equal for any letter case, and for domains in Unicode or Punycode. */
export function addressKey(email: string): string {
  return suppressionKey(email) ?? email.trim().toLowerCase();
}

/** Removes duplicate addresses and keeps the first spelling. */
export function distinctRecipients(recipients: readonly ReportRecipient[]): ReportRecipient[] {
  const seen = new Map<string, ReportRecipient>();
  for (const recipient of recipients) {
    const key = addressKey(recipient.email);
    if (!seen.has(key)) seen.set(key, { ...recipient, email: recipient.email.trim() });
  }
  return [...seen.values()];
}

/** Returns the recipients of a list whose addresses the earlier list does not contain. */
export function addedRecipients(
  before: readonly ReportRecipient[],
  after: readonly ReportRecipient[],
): ReportRecipient[] {
  const existing = new Set(before.map(({ email }) => addressKey(email)));
  return after.filter(({ email }) => !existing.has(addressKey(email)));
}

/**
 * Returns the recipients that may be mailed: none if the workspace is at its limit; otherwise all except those at the
 * limit per address.
 * @param recent the recipients of the workspace's reports within LIMIT_WINDOW_MS, once per mail.
 */
export function withinLimits(
  recipients: readonly ReportRecipient[],
  recent: readonly string[],
): ReportRecipient[] {
  const sentCounts = new Map<string, number>();
  for (const address of recent.map(addressKey)) sentCounts.set(address, (sentCounts.get(address) ?? 0) + 1);
  const allowed = recipients.filter(
    ({ email }) => (sentCounts.get(addressKey(email)) ?? 0) < MAX_REPORT_EMAILS_PER_ADDRESS,
  );
  return recent.length + allowed.length <= MAX_REPORT_EMAILS_PER_DAY ? allowed : [];
}

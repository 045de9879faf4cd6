/**
 * Limits on the mail that reports may send: recipients can be anyone, and the mail is sent in the product's name. Mail
 * over a limit is dropped, not delayed; the schedule continues with its next date.
 */
import { DAY } from '../../../kernel/duration.js';
import { addressKey as suppressionKey } from '../../suppressions/domain/suppression.js';
import type { ReportRecipient } from './schedule.js';

/** Maximum number of report emails of a workspace in any 24 hours. */
export const MOST_LETTERS = 500;
/** Maximum number of these to one address. */
export const MOST_LETTERS_TO_ONE = 25;
/** The length of the window in milliseconds. */
export const COUNTED_PAST = DAY;

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
  const known = new Set(before.map(({ email }) => addressKey(email)));
  return after.filter(({ email }) => !known.has(addressKey(email)));
}

/**
 * Returns the recipients that may be mailed: none if the workspace is at its limit; otherwise all except those at the
 * limit per address.
 * @param past the recipients of the workspace's reports within COUNTED_PAST, once per mail.
 */
export function withinBounds(
  recipients: readonly ReportRecipient[],
  past: readonly string[],
): ReportRecipient[] {
  const had = new Map<string, number>();
  for (const address of past.map(addressKey)) had.set(address, (had.get(address) ?? 0) + 1);
  const open = recipients.filter(({ email }) => (had.get(addressKey(email)) ?? 0) < MOST_LETTERS_TO_ONE);
  return past.length + open.length <= MOST_LETTERS ? open : [];
}

/**
 * How much mail reports may cause: their recipients may be anybody, and it is sent in the product's name. What is beyond a
 * bound is not sent later either; the schedule goes on with its next date.
 */
import { DAY } from '../../../kernel/duration.js';
import { addressKey as suppressionKey } from '../../suppressions/domain/suppression.js';
import type { ReportRecipient } from './schedule.js';

/** Reports by mail of a workspace in any 24 hours. */
export const MOST_LETTERS = 500;
/** Of them to one address. */
export const MOST_LETTERS_TO_ONE = 25;
/** Milliseconds of the past that count. */
export const COUNTED_PAST = DAY;

/** One text for all spellings of an address: letter case, and domains in Unicode or Punycode. */
export function addressKey(email: string): string {
  return suppressionKey(email) ?? email.trim().toLowerCase();
}

/** Each address once, as it was written first. */
export function distinctRecipients(recipients: readonly ReportRecipient[]): ReportRecipient[] {
  const seen = new Map<string, ReportRecipient>();
  for (const recipient of recipients) {
    const key = addressKey(recipient.email);
    if (!seen.has(key)) seen.set(key, { ...recipient, email: recipient.email.trim() });
  }
  return [...seen.values()];
}

/** The recipients of a list whose addresses an earlier one does not have. */
export function addedRecipients(
  before: readonly ReportRecipient[],
  after: readonly ReportRecipient[],
): ReportRecipient[] {
  const known = new Set(before.map(({ email }) => addressKey(email)));
  return after.filter(({ email }) => !known.has(addressKey(email)));
}

/**
 * Those who may be written to: all of a schedule, or, where the workspace is at its bound, none; without those who have had
 * as many as an address gets.
 * @param past whom the workspace's reports were for within COUNTED_PAST, once for each mail.
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

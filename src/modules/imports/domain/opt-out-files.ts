/** Exports that hold nobody but people who may not be written to, by the names that their services give them. */
import type { OptOutReason } from './foreign-contact.js';
import { wordsOf } from './opt-out-names.js';

const NAMES: readonly (readonly [OptOutReason, RegExp])[] = [
  // Mailchimp: cleaned_members_export_1a2b.csv, unsubscribed_email_audience_export_1a2b.csv
  ['bounced', /^cleaned_(?:[a-z]+_)*export(?:_|$)/],
  ['unsubscribed', /^(?:unsubscribed|non_?subscribed)_(?:[a-z]+_)*export(?:_|$)/],
  // SendGrid: suppression_bounces.csv; blocks are only put off.
  ['bounced', /^suppression_(?:bounces|invalid_emails)(?:_|$)/],
  ['complained', /^suppression_spam_reports(?:_|$)/],
  ['unsubscribed', /^suppression_(?:global_)?unsubscribes(?:_|$)/],
];

/** Why nobody of a file may be written to; null for any other file. */
export function optOutOfFile(name: string): OptOutReason | null {
  const words = wordsOf(name);
  return NAMES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

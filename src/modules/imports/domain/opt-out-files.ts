/**
 * Recognizes exports that only contain people who must not receive mail, by the names that services give such files.
 */
import type { OptOutReason } from './source-record.js';
import { wordsOf } from './opt-out-names.js';

const NAMES: readonly (readonly [OptOutReason, RegExp])[] = [
  // Mailchimp: cleaned_members_export_1a2b.csv, unsubscribed_email_audience_export_1a2b.csv
  ['bounced', /^cleaned_(?:[a-z]+_)*export(?:_|$)/],
  ['unsubscribed', /^(?:unsubscribed|non_?subscribed)_(?:[a-z]+_)*export(?:_|$)/],
  // SendGrid: suppression_bounces.csv. Blocks are left out, since they are temporary.
  ['bounced', /^suppression_(?:bounces|invalid_emails)(?:_|$)/],
  ['complained', /^suppression_spam_reports(?:_|$)/],
  ['unsubscribed', /^suppression_(?:global_)?unsubscribes(?:_|$)/],
];

/** Why no person in the file may receive mail; null for any other file. */
export function optOutOfFile(name: string): OptOutReason | null {
  const words = wordsOf(name);
  return NAMES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

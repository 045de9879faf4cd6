/** The names that email services use for suppression reasons, and for files with a single reason. */
import type { SuppressionReason } from './suppression.js';

/** A reason given by a service; `temporary` is no reason to stop mail. */
export type StatedReason = SuppressionReason | 'unsubscribed' | 'temporary';

/** Reduced to letters and digits. */
const REASON_NAMES: Readonly<Record<StatedReason, readonly string[]>> = {
  manual: [
    ...['manual', 'manualsuppression', 'manuallyadded', 'manuallydeactivated', 'custom', 'customer', 'admin'],
    ...['compliance', 'suppressed', 'blocklist', 'blocklisted', 'blacklist', 'blacklisted'],
  ],
  hard_bounce: [
    ...[
      'hardbounce',
      'hardbounced',
      'hard',
      'bounce',
      'bounced',
      'bouncerule',
      'permanent',
      'permanentbounce',
    ],
    ...['permanentfailure', 'bademailaddress', 'invalid', 'invalidemail', 'invalidemailaddress'],
    ...['invalidaddress', 'undeliverable', 'cleaned'],
  ],
  complaint: [
    ...['complaint', 'complained', 'spam', 'spamcomplaint', 'spamreport', 'spamreported', 'abuse'],
    ...['abusecomplaint', 'markedasspam', 'reportedspam', 'feedbackloop', 'fbl'],
  ],
  unsubscribed: [
    ...['unsub', 'unsubscribe', 'unsubscribed', 'listunsubscribe', 'unsubscribelink', 'globalunsubscribe'],
    ...['optout', 'optedout'],
  ],
  temporary: [
    ...['softbounce', 'softbounced', 'soft', 'transient', 'temporary', 'block', 'blocked', 'deferred'],
    ...['mailboxfull', 'spamnotification', 'autoresponder', 'undetermined'],
  ],
};

const REASONS: ReadonlyMap<string, StatedReason> = new Map(
  Object.entries(REASON_NAMES).flatMap(([reason, names]) =>
    names.map((serviceName) => [serviceName, reason as StatedReason] as const),
  ),
);

/** SendGrid's texts for addresses that it never tried. */
const INVALID_ADDRESS_TEXT = /known bad domain|mail domain mentioned in email address is unknown/i;

/** @param text in any case, with spaces, hyphens or underscores. */
export function parseReason(text: string): StatedReason | undefined {
  return (
    REASONS.get(text.toLowerCase().replaceAll(/[\s_-]/g, '')) ??
    (INVALID_ADDRESS_TEXT.test(text) ? 'hard_bounce' : undefined)
  );
}

const FILE_NAME_PATTERNS: readonly (readonly [RegExp, StatedReason])[] = [
  [/unsubscri|opt-?_?outs?(?![a-z])/, 'unsubscribed'],
  [/spam|complain|abuse/, 'complaint'],
  [/(?:^|[_-])(?:soft[_-]?bounces?|blocks)(?=[_.-]|$)/, 'temporary'],
  [/bounce|invalid|cleaned/, 'hard_bounce'],
];

/** The reason for all addresses of a file, from the name that a service gives it: `suppression_bounces.csv`. */
export function reasonOfFile(name: string): StatedReason | undefined {
  const base = name.split(/[/\\]/).at(-1)?.toLowerCase() ?? '';
  return FILE_NAME_PATTERNS.find(([pattern]) => pattern.test(base))?.[1];
}

/**
 * Interprets the names of fields that no mapping covers: does the name mean an opt-out, a consent, or a status? Only
 * names that mean nothing else count; `blocked_products` and `unsubscribe_link` do not.
 */
import { LRUCache } from 'lru-cache';
import type { OptOutReason } from './source-record.js';

/**
 * `mail_status` is the status of a subscription; `status` may be any status. `bounce_reason` is only filled for hard
 * bounces; `bounce_type` gives the kind of the bounce.
 */
export type FieldSubject =
  OptOutReason | 'bounce_reason' | 'bounce_type' | 'consent' | 'mail_status' | 'status';

/** Names whose subject is cached. */
const MAX_CACHED_NAMES = 5_000;
const subjectCache = new LRUCache<string, FieldSubject | 'none'>({ max: MAX_CACHED_NAMES });

/** The meaning of a field according to its name; null if it does not concern mail. */
export function subjectOf(name: string): FieldSubject | null {
  let subject = subjectCache.get(name);
  if (subject === undefined) subjectCache.set(name, (subject = subjectIn(wordsOf(name)) ?? 'none'));
  return subject === 'none' ? null : subject;
}

/** Number of characters of a name that are read. */
const MAX_NAME_LENGTH = 255;

/** Converts `optedOut`, `Opted out` and `OPTED-OUT` to `opted_out`. */
export function wordsOf(text: string): string {
  return withoutAccents(text.slice(0, MAX_NAME_LENGTH).trim())
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
}

export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/**
 * Words that do not change the meaning of a name next to them. None begins with a combination of two others, so a
 * name can only be split in one way.
 */
const NEUTRAL_WORDS = [
  ...['is', 'are', 'has', 'have', 'had', 'was', 'been', 'currently', 'flag', 'status', 'indicator'],
  ...[
    'user',
    'contact',
    'subscriber',
    'recipient',
    'profile',
    'hs',
    'hubspot',
    'portal',
    'mailchimp',
    'klaviyo',
  ],
  ...['e_?mail', 'mail', 'mailing', 'marketing', 'newsletter', 'global', 'globally', 'permanently'],
];
/** The same, for names that cannot be those of counts: `emails_bounced` can. */
const SCOPE_WORDS = [
  ...['e_?mails', 'mails', 'mailings', 'newsletters', 'messages?', 'communications?', 'correspondence'],
  ...['from', 'of', 'for', 'to', 'the', 'our', 'your', 'all', 'any', 'every', 'future'],
  ...['from_?lists?', 'all_?lists?', 'mailing_?lists?'],
];
const DATE_WORDS = ['at', 'on', 'date', 'datum', 'fecha', 'time', 'timestamp', 'utc', 'am'];

/** What people who have unsubscribed are called in other languages, without accents. Values and names contain these. */
const FOREIGN_UNSUBSCRIBED = [
  ...['abgemeldet', 'abbestellt', 'ausgetragen', 'desabonne', 'desabonnee', 'desinscrit', 'desinscrite'],
  ...['uitgeschreven', 'afgemeld', 'disiscritto', 'disiscritta', 'desuscrito', 'desuscrita', 'dado_de_baja'],
  ...['dada_de_baja', 'descadastrado', 'descadastrada', 'wypisany', 'wypisana', 'avregistrerad'],
];
/** The same as plain letters. */
export const FOREIGN_UNSUBSCRIBED_STATUSES: readonly string[] = FOREIGN_UNSUBSCRIBED.map((words) =>
  words.replaceAll('_', ''),
);
const UNSUBSCRIBED_PATTERN = `unsub(?:scribed|scription|bed)?|${FOREIGN_UNSUBSCRIBED.join('|')}`;
/** What can be enabled and disabled. */
const MAILINGS = '(?:(?:e_?)?mails?|mailings?|newsletters?|marketing)';
const OPT_OUT_PATTERNS: readonly (readonly [OptOutReason, readonly string[]])[] = [
  [
    'complained',
    [
      'complain(?:ed|t)?',
      'spam(?:_?(?:complain(?:ed|ts?|ing)|report(?:ed|s)?))?',
      '(?:marked|reported|flagged)_?(?:(?:e_?)?mail_?)?(?:as_?)?spam',
      'abuse_?(?:complaint|report)s?',
    ],
  ],
  [
    'bounced',
    [
      'bounced?',
      '(?:hard|permanent(?:ly)?)_?bounce[ds]?',
      'cleaned',
      'clean_?(?:time|date)',
      'undeliverable',
      'bad_(?:(?:e_?)?mail_)?address',
      'invalid_?(?:e_?)?mail(?:_?address)?',
      '(?:e_?)?mail_?(?:address_?)?invalid',
    ],
  ],
  [
    'unsubscribed',
    [
      'suppress(?:ed|ions?|ion_?(?:list|reason))',
      '(?:block|black)_?list(?:ed)?',
      'blocked|gesperrt|bloquead[oa]|bloquee?|bloccat[oa]|geblokkeerd',
      `${MAILINGS}_?disabled`,
      `disabled?_${MAILINGS}`,
      '(?:e_?)?mail_(?:address_)?quarantined',
      'marketing_suspended',
      'excluded_from_(?:(?:e_?)?mail_)?campaigns?',
    ],
  ],
];
const BOUNCE_REASONS = ['hard_?bounce_reason(?:_enum)?', '(?:portal|global)_bounce'];
const BOUNCE_TYPES = ['bounced?_?(?:type|category|kind|status|state)'];
const OPT_OUTS = [
  UNSUBSCRIBED_PATTERN,
  'unsubscribe',
  'opt(?:s|ed)?_?out',
  '(?:do_?not|don_?t|no|never)_?(?:allow_?)?(?:bulk_?)?(?:e_?)?(?:mails?|mailings?|contact|send|market(?:ing)?|newsletters?)',
  '(?:never|non|not)_?subscribed',
];
const CONSENT = [
  'opt(?:s|ed)?_?in',
  'subscribed?',
  `${MAILINGS}_?(?:enabled|allowed|permitted|permission)`,
  `(?:receives?|wants?|allows?)_?${MAILINGS}`,
  '(?:e_?)?mailable',
  'marketable',
];
/** These may concern anything, unless the name mentions mail. */
const GENERIC_CONSENT = ['consent(?:ed|s)?(?:_?given)?', 'accept(?:s|ed)'];
const MAIL = /mail|marketing|newsletter/;

/** The suffix of a duplicate column, or of a custom column in Salesforce. */
const SUFFIX = '(?:_c|_\\d{1,3})?';

function wholeName(patterns: readonly string[], neutralWords: readonly string[]): RegExp {
  const other = neutralWords.join('|');
  return new RegExp(`^_?(?:(?:${other})_?)*(?:${patterns.join('|')})(?:_?(?:${other}))*${SUFFIX}_?$`);
}

const OPT_OUT_NAMES: readonly (readonly [FieldSubject, RegExp])[] = [
  ['bounce_reason', wholeName(BOUNCE_REASONS, NEUTRAL_WORDS)],
  ['bounce_type', wholeName(BOUNCE_TYPES, NEUTRAL_WORDS)],
  ...OPT_OUT_PATTERNS.map(
    ([reason, patterns]) => [reason, wholeName(patterns, [...NEUTRAL_WORDS, ...DATE_WORDS])] as const,
  ),
  ['unsubscribed', wholeName(OPT_OUTS, [...NEUTRAL_WORDS, ...SCOPE_WORDS, ...DATE_WORDS])],
];
const CONSENT_NAME = wholeName(CONSENT, [...NEUTRAL_WORDS, ...SCOPE_WORDS]);
const CONSENT_TO_MAIL_NAME = wholeName(GENERIC_CONSENT, [...NEUTRAL_WORDS, ...SCOPE_WORDS]);
const MAIL_STATUS_NAME = new RegExp(
  `^_?(?:${[
    '(?:e_?mail_?)?(?:subscri(?:ption|be)|marketing(?:_subscription)?|opt_?in)_?stat(?:us|e)',
    'e_?mail_?(?:marketing_?)?(?:permission|consent)_?stat(?:us|e)',
    'e_?mail_?(?:status|subscribe|deliverability|validity)',
  ].join('|')})${SUFFIX}_?$`,
);
const STATUS_NAME = new RegExp(
  `^_?(?:${[
    '(?:(?:contact|customer|member|recipient|subscriber|user|global|list|mailing)_?)?status',
    '(?:member|recipient|subscriber)_?state',
    'e_?mail_?(?:marketing|subscription)',
  ].join('|')})${SUFFIX}_?$`,
);

/** "Unsubscribed" means mail, whatever other words the name contains, except for these. */
const UNSUBSCRIBED = new RegExp(`(?:^|_)(?:${UNSUBSCRIBED_PATTERN})(?=_|$)`);
const NOT_AN_OPT_OUT = new RegExp(
  `(?:^|_)(?:${[
    ...['not?', 'non', 'never', 'isn', 'hasn', 'without', 'un', 'resubscribed', 'before', 'can', 'if'],
    ...[
      'sms',
      'mms',
      'rcs',
      '(?:web_?)?push',
      '(?:tele)?phones?',
      'mobile',
      'calls?',
      'voice',
      'fax',
      'texts?',
    ],
    ...['whats_?app', 'viber', 'telegram', 'messenger', 'postal', 'letters?', 'in_?app', 'notifications?'],
    ...['links?', 'ur[il]s?', 'href', 'tokens?', 'keys?', 'hash', 'codes?', 'ids?', 'pages?', 'labels?'],
    ...[
      'counts?',
      'counter',
      'rates?',
      'ratio',
      'percent(?:age)?',
      'numbers?',
      'num',
      'total',
      'score',
      'checks?',
    ],
    ...[
      'checked',
      'templates?',
      'topics?',
      'groups?',
      'lists',
      'campaigns?',
      'segments?',
      'categor(?:y|ies)',
    ],
    ...['events?', 'clicks?', 'users', 'contacts', 'members', 'enabled', 'allowed', 'required', 'available'],
  ].join('|')})(?:_|$)`,
);
/** What the person has unsubscribed from, if the name says so. */
const FROM = /_(?:from|of)_(.+)$/;
const ONLY_NEUTRAL_WORDS = new RegExp(
  `^(?:(?:${[...NEUTRAL_WORDS, ...SCOPE_WORDS, ...DATE_WORDS].join('|')})_?)+${SUFFIX}_?$`,
);

function subjectIn(name: string): FieldSubject | null {
  if (STATUS_NAME.test(name)) return 'status';
  if (MAIL_STATUS_NAME.test(name)) return 'mail_status';
  for (const [reason, names] of OPT_OUT_NAMES) if (names.test(name)) return reason;
  if (CONSENT_NAME.test(name) || (MAIL.test(name) && CONSENT_TO_MAIL_NAME.test(name))) return 'consent';
  if (!UNSUBSCRIBED.test(name) || NOT_AN_OPT_OUT.test(name)) return null;
  const from = FROM.exec(name)?.[1];
  return from === undefined || from.startsWith('all_') || ONLY_NEUTRAL_WORDS.test(from)
    ? 'unsubscribed'
    : null;
}

/** The names that services give to exports that only contain people who must not receive mail. */
const OPT_OUT_FILES: readonly (readonly [OptOutReason, RegExp])[] = [
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
  return OPT_OUT_FILES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

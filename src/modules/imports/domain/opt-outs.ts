/** What sources say of somebody's subscription, as far as it is a refusal: nothing that they say opts anybody in. */
import type { JsonValue } from '../../../kernel/json.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { OptOutReason } from './foreign-contact.js';
import { subjectOf, withoutAccents, wordsOf } from './opt-out-names.js';

/** Who was asked, and has not answered, never opted in. */
const UNANSWERED = ['pending', 'unconfirmed', 'transactional'];

/** Values of a status that refuse, by their plain letters and digits: case, spaces, hyphens and accents do not matter. */
const REFUSALS: Readonly<Record<OptOutReason, readonly string[]>> = {
  unsubscribed: [
    ...[
      'unsubscribed',
      'unsubscribe',
      'unsub',
      'globalunsubscribe',
      'globalunsubscribed',
      'globallyunsubscribed',
    ],
    ...['optedout', 'optout', 'optsout', 'neversubscribed', 'nonsubscribed', 'notsubscribed', 'neveroptedin'],
    ...['donotmail', 'donotemail', 'donotcontact', 'donotsend', 'noemail', 'suppressed', 'suppression'],
    ...[
      'blocked',
      'blocklisted',
      'blocklist',
      'blacklisted',
      'blacklist',
      'abgemeldet',
      'desabonne',
      'desinscrit',
    ],
    ...UNANSWERED,
  ],
  bounced: [
    ...['bounced', 'bounce', 'hardbounced', 'hardbounce', 'permanentbounce', 'cleaned', 'undeliverable'],
    ...['invalid', 'invalidemail', 'invalidaddress'],
  ],
  complained: [
    ...['complained', 'complaint', 'spam', 'spamcomplaint', 'spamcomplained', 'spamreport', 'spamreported'],
    ...['reportedspam', 'markedasspam', 'abuse'],
  ],
};

const WORDS: ReadonlyMap<string, OptOutReason> = new Map(
  Object.entries(REFUSALS).flatMap(([reason, words]) =>
    words.map((word) => [word, reason as OptOutReason] as const),
  ),
);

/** Values of a status that say nothing against, by the same. */
const CONSENTS = new Set(['subscribed', 'optedin', 'optin', 'active', 'confirmed']);

const YES = new Set(['true', '1', '1.0', 'yes', 'y', 't', 'on', 'x', 'ja', 'oui', 'si', 'sí']);
const NO = new Set(['false', '0', '0.0', 'no', 'n', 'f', 'off', 'nein', 'non']);
/** Years that can be meant: 1970, 1900, 0001, 0000 and 9999 are what databases write for none. */
const YEAR = '(?:197[1-9]|19[89]\\d|2\\d{3})';
/** When it was, in a column that is named for it. */
const DATE = new RegExp(`^${YEAR}-\\d\\d-\\d\\d(?:[t ]|$)`);
/** The same as other programs write it, seconds and milliseconds since 1970 among them. */
const MOMENTS = [
  `${YEAR}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\\d|3[01])(?!\\d)`,
  `${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)`,
  `(?:0?[1-9]|[12]\\d|3[01])[-/.](?:0?[1-9]|[12]\\d|3[01])[-/.](?:${YEAR}|\\d\\d)(?!\\d)`,
  `(?:[a-z]{3,9}\\.?,? )?\\d{1,2}(?:st|nd|rd|th|\\.)?[ -][a-z]{3,9}\\.?,?[ -]${YEAR}(?!\\d)`,
  `(?:[a-z]{3,9}\\.?,? )?[a-z]{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?,? ${YEAR}(?!\\d)`,
  '(?:[1-9]\\d{8,9}|[1-9]\\d{12})(?:\\.\\d+)?$',
];
const MOMENT = new RegExp(`^(?:${MOMENTS.join('|')})`);

/** Columns that say by a yes that somebody is out, by words of their names joined with underscores. */
const COMPLAINED_COLUMN =
  /(?:^|_)(?:complain(?:ed|ts?)?|spam(?:_?report(?:ed|s)?)?|marked_as_spam|abuse)(?:_|$)/;
const BOUNCED_COLUMN =
  /(?:^|_)(?:(?:hard_?)?bounce[ds]?|cleaned|undeliverable|invalid(?:_?(?:e_?)?mail|_?address)?)(?:_|$)/;
const SOFT = /(?:^|_)soft_?/;
const OPT_OUT_COLUMN = new RegExp(
  `(?:^|_)(?:${[
    'opt(?:s|ed)?_?outs?',
    'unsub(?:s|scribe[ds]?|scription)?',
    '(?:do_?not|no|never)_?(?:e_?)?(?:mail|mailings?|contact|send|marketing|newsletter)',
    '(?:never|non|not)_?subscribed',
    'suppress(?:ed|ion)',
    '(?:block|black)_?list(?:ed)?',
    'blocked',
    'abgemeldet|abbestellt|desabonne|desinscrit',
  ].join('|')})(?:_|$)`,
);
/** Columns that say by a no that somebody is out. */
const OPT_IN_COLUMN = /(?:^|_)(?:opt(?:s|ed)?_?in|subscribed|subscribe|consent(?:ed|s)?|accepts?)(?:_|$)/;

/** Which suppression a refusal is, where it is one. */
export const SUPPRESSION_OF: Readonly<Record<OptOutReason, SuppressionReason | null>> = {
  unsubscribed: null,
  bounced: 'hard_bounce',
  complained: 'complaint',
};

/** The later in this list, the graver. */
const BY_GRAVITY: readonly OptOutReason[] = ['unsubscribed', 'bounced', 'complained'];

/** The graver of two; null says nothing. */
export function graver(one: OptOutReason | null, other: OptOutReason | null): OptOutReason | null {
  if (one === null || other === null) return one ?? other;
  return BY_GRAVITY.indexOf(one) >= BY_GRAVITY.indexOf(other) ? one : other;
}

/** What a value says of a subscription. */
export interface StatusReading {
  readonly optOut: OptOutReason | null;
  /** Whether that is all it says: what is not understood, and when somebody left, are to be kept. */
  readonly isAll: boolean;
}

/**
 * What a value means that was mapped to subscription_status: the words of a refusal anywhere, a yes or a date in a column
 * whose name says that it tells of a refusal, a no in one that tells of consent.
 */
export function statusIn(column: string, value: JsonValue): StatusReading {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number')
    return NOT_UNDERSTOOD;
  const text = String(value).slice(0, LONGEST).trim().toLowerCase();
  const said = WORDS.get(plainOf(text));
  if (said !== undefined) return { optOut: said, isAll: true };
  if (CONSENTS.has(plainOf(text))) return NOTHING_AGAINST;
  const [isYes, isNo, isDate] = [YES.has(text), NO.has(text), DATE.test(text)];
  if (!isYes && !isNo && !isDate) return NOT_UNDERSTOOD;
  const name = wordsOf(column);
  const meaning = meaningOf(name);
  if (meaning !== null) return isNo ? NOTHING_AGAINST : { optOut: meaning, isAll: !isDate };
  if (isDate || !OPT_IN_COLUMN.test(name)) return NOT_UNDERSTOOD;
  return isNo ? { optOut: 'unsubscribed', isAll: true } : NOTHING_AGAINST;
}

/** What a column that is called `status`, which may be that of anything, says of mail: these words and no others. */
const SURE_WORDS = new Set(['unsubscribed', 'optedout', 'optout', 'cleaned', 'hardbounced', 'complained']);

/**
 * The refusal that a field tells by its name and value, whatever it is mapped to: a yes, a moment, or a word of a refusal
 * in one that is named for a refusal, a no or such a word in one that is named for consent. A consent says nothing: nobody
 * is opted in.
 */
export function optOutTold(name: string, value: JsonValue): OptOutReason | null {
  const subject = subjectOf(name);
  if (subject === null) return null;
  if (subject === 'mail_status') return statusIn(name, value).optOut;
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null;
  const text = String(value).slice(0, LONGEST).trim().toLowerCase();
  const word = plainOf(text);
  const said = WORDS.get(word) ?? null;
  if (subject === 'status') return SURE_WORDS.has(word) ? said : null;
  if (subject === 'consent') return NO.has(text) ? 'unsubscribed' : UNANSWERED.includes(word) ? null : said;
  return said ?? (YES.has(text) || MOMENT.test(text) ? subject : null);
}

const NOT_UNDERSTOOD: StatusReading = { optOut: null, isAll: false };
const NOTHING_AGAINST: StatusReading = { optOut: null, isAll: true };

function meaningOf(column: string): OptOutReason | null {
  if (COMPLAINED_COLUMN.test(column)) return 'complained';
  if (BOUNCED_COLUMN.test(column)) return SOFT.test(column) ? null : 'bounced';
  return OPT_OUT_COLUMN.test(column) ? 'unsubscribed' : null;
}

/** Characters of a text that is looked at. */
const LONGEST = 255;

/** `opted_out`, `Opted-Out` and `optedOut` are all `optedout`, in small letters. */
function plainOf(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

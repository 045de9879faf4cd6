/**
 * Interprets what sources report of a person's subscription, as far as it is an opt-out. Nothing that they report
 * opts anyone in.
 */
import type { JsonValue } from '../../../kernel/json.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { OptOutReason } from './source-record.js';
import { FOREIGN_UNSUBSCRIBED_STATUSES, subjectOf, withoutAccents, wordsOf } from './opt-out-names.js';

/** People who were asked and have not answered never opted in. */
const UNCONFIRMED = [
  ...['pending', 'unconfirmed', 'notconfirmed', 'awaitingconfirmation', 'validating', 'transactional'],
  ...['nopermissionsset', 'nopermission'],
];

/**
 * Values of a status that mean an opt-out, as plain letters and digits: case, spaces, hyphens and accents do not
 * matter.
 */
const OPT_OUT_STATUSES: Readonly<Record<OptOutReason, readonly string[]>> = {
  unsubscribed: [
    ...['unsubscribed', 'unsubscribe', 'unsub', 'globalunsubscribe', 'globalunsubscribed'],
    ...['globallyunsubscribed', 'unsubscribedbyuser', 'manuallyunsubscribed', 'unsubscribedmanually'],
    ...['optedout', 'optout', 'optsout', 'neversubscribed', 'nonsubscribed', 'notsubscribed', 'neveroptedin'],
    ...['notoptedin', 'donotmail', 'donotemail', 'donotcontact', 'donotsend', 'donotallow', 'notallowed'],
    ...['noemail', 'suppressed', 'suppression', 'manuallysuppressed', 'usersuppressed', 'manualsuppression'],
    ...['blocked', 'blocklisted', 'blocklist', 'blacklisted', 'blacklist', 'nonmarketingcontact'],
    ...FOREIGN_UNSUBSCRIBED_STATUSES,
    ...UNCONFIRMED,
  ],
  bounced: [
    ...['bounced', 'bounce', 'hardbounced', 'hardbounce', 'permanentbounce', 'cleaned', 'undeliverable'],
    ...[
      'undelivered',
      'permanentfailure',
      'invalid',
      'invalidemail',
      'invalidemailaddress',
      'invalidaddress',
    ],
  ],
  complained: [
    ...['complained', 'complaint', 'spam', 'spamcomplaint', 'spamcomplained', 'spamreport', 'spamreported'],
    ...['reportedspam', 'reportedasspam', 'markedasspam', 'abuse', 'abusecomplaint', 'junk'],
  ],
};

const REASON_BY_STATUS: ReadonlyMap<string, OptOutReason> = new Map(
  Object.entries(OPT_OUT_STATUSES).flatMap(([reason, words]) =>
    words.map((word) => [word, reason as OptOutReason] as const),
  ),
);

/**
 * States that mean an opt-out only if the column is known to be the status of the subscription; they occur in other
 * statuses, too.
 */
const ENDED_STATES = new Set([
  ...[
    'inactive',
    'inaktiv',
    'inactif',
    'inactivo',
    'inattivo',
    'inativo',
    'cancelled',
    'canceled',
    'cancelado',
  ],
  ...['deleted', 'removed', 'archived', 'disabled', 'excluded', 'withdrawn', 'revoked', 'declined', 'denied'],
]);

/** Values of a status that are not an opt-out, in the same form. */
const CONSENTS = new Set([
  ...['subscribed', 'optedin', 'optin', 'active', 'confirmed', 'doubleoptin', 'doubleoptedin', 'singleoptin'],
  ...['enabled', 'allow', 'allowed', 'granted', 'express', 'implied', 'explicit', 'implicit', 'verified'],
  ...['valid', 'deliverable', 'delivered', 'marketingcontact', 'softbounce', 'softbounced', 'nobounce'],
  ...[
    'aktiv',
    'actif',
    'activo',
    'attivo',
    'ativo',
    'actief',
    'aktywny',
    'abonniert',
    'angemeldet',
    'abonne',
  ],
  ...['inscrit', 'suscrito', 'iscritto', 'inscrito', 'ingeschreven', 'aangemeld', 'zapisany', 'prenumererar'],
]);

/** A yes in the languages of spreadsheets; accents do not matter. */
const YES = wordSet(
  'true 1 1.0 yes y t on x ✓ ✔ ☑ wahr ja j vrai oui verdadero si s vero waar prawda tak verdadeiro sim sant sann sand',
  'sandt tosi kylla pravda ano igaz igen istina da tacno doğru dogru evet истина да так істина αληθης ναι adevarat',
  'tõene jah patiess taip tiesa veritat cert benar ya đung 是 真 はい 예 참 正しい',
);
const NO = wordSet(
  'false 0 0.0 no n f off ✗ ✘ ☐ falsch nein faux non falso onwaar nee fałsz nie nao falskt nej falsk usann nei epatosi',
  'ei nepravda ne hamis nem laž neistina netacno yanlış yanlis hayır hayir ложь нет хибність ні ψευδης οχι fals nu',
  'vaar aplams netiesa fals salah tidak sai 否 假 いいえ 아니요 거짓',
);
/** What programs write for an empty value. */
const EMPTY = new Set(['', '-', '--', 'null', '(null)', 'nil', 'none', 'n/a', '#n/a', 'na', 'nan', '\\n']);
/** Plausible years. Databases write 1970, 1900, 0001, 0000 and 9999 for an empty date. */
const YEAR = '(?:197[1-9]|19[89]\\d|2\\d{3})';
/** Formats of timestamps, including seconds and milliseconds since 1970. */
const MOMENTS = [
  `${YEAR}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\\d|3[01])(?!\\d)`,
  `${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)`,
  `(?:0?[1-9]|[12]\\d|3[01])[-/.](?:0?[1-9]|[12]\\d|3[01])[-/.](?:${YEAR}|\\d\\d)(?!\\d)`,
  `(?:[a-z]{3,9}\\.?,? )?\\d{1,2}(?:st|nd|rd|th|\\.)?[ -][a-z]{3,9}\\.?,?[ -]${YEAR}(?!\\d)`,
  `(?:[a-z]{3,9}\\.?,? )?[a-z]{3,9}\\.? \\d{1,2}(?:st|nd|rd|th)?,? ${YEAR}(?!\\d)`,
  '(?:[1-9]\\d{8,9}|[1-9]\\d{12})(?:\\.\\d+)?$',
];
const MOMENT = new RegExp(`^(?:${MOMENTS.join('|')})`);
/** A date that databases write for an empty value. */
const EMPTY_MOMENT = /^(?:0000|0001|1900|1970|9999)-\d\d-\d\d(?!\d)/;
/** The start of a kind of bounce that is permanent. */
const HARD_BOUNCE = /^(?:hard|permanent|hart(?:er|es)?|duro?)(?![a-z])/;
const SOFT_BOUNCE = /^(?:soft|transient|temporary|no(?:ne)?|never|weich|doux)(?![a-z])/;

/** Columns in which a yes means an opt-out, by the words of their names joined with underscores. */
const COMPLAINED_COLUMN =
  /(?:^|_)(?:complain(?:ed|ts?)?|spam(?:_?report(?:ed|s)?)?|marked_as_spam|abuse)(?:_|$)/;
const BOUNCED_COLUMN =
  /(?:^|_)(?:(?:hard_?)?bounce[ds]?|cleaned|clean_(?:time|date)|undeliverable|invalid(?:_?(?:e_?)?mail|_?address)?)(?:_|$)/;
const SOFT = /(?:^|_)soft_?/;
const OPT_OUT_COLUMN = new RegExp(
  `(?:^|_)(?:${[
    'opt(?:s|ed)?_?outs?',
    'unsub(?:s|scribe[ds]?|scription)?',
    '(?:do_?not|no|never)_?(?:e_?)?(?:mail|mailings?|contact|send|marketing|newsletter)',
    '(?:never|non|not)_?subscribed',
    'suppress(?:ed|ions?)',
    '(?:block|black)_?list(?:ed)?',
    'blocked',
    'disabled',
    'abgemeldet|abbestellt|desabonne|desinscrit',
  ].join('|')})(?:_|$)`,
);
/** Columns in which a no means an opt-out. */
const OPT_IN_COLUMN =
  /(?:^|_)(?:opt(?:s|ed)?_?in|subscribed|subscribe|consent(?:ed|s)?|accepts?|permission|newsletters?|mailings?|marketing)(?:_|$)/;

/** The suppression reason for an opt-out, if it is one. */
export const SUPPRESSION_OF: Readonly<Record<OptOutReason, SuppressionReason | null>> = {
  unsubscribed: null,
  bounced: 'hard_bounce',
  complained: 'complaint',
};

/** The later in this list, the more severe. */
const BY_SEVERITY: readonly OptOutReason[] = ['unsubscribed', 'bounced', 'complained'];

/** The more severe of two; null means no opt-out. */
export function moreSevere(one: OptOutReason | null, other: OptOutReason | null): OptOutReason | null {
  if (one === null || other === null) return one ?? other;
  return BY_SEVERITY.indexOf(one) >= BY_SEVERITY.indexOf(other) ? one : other;
}

/** The meaning of a value for a subscription. */
export interface StatusReading {
  readonly optOut: OptOutReason | null;
  /**
   * Whether it contains no other information. If it does, as with the date of an opt-out, the value is stored as
   * well.
   */
  readonly isAll: boolean;
}

/**
 * The meaning of a value that was mapped to subscription_status: a word for an opt-out in any column, a yes or a date
 * in a column named for an opt-out, a no in one named for consent.
 * @returns null if it is not understood.
 */
export function statusIn(column: string, value: JsonValue): StatusReading | null {
  const text = textOf(value);
  if (text === null) return null;
  if (subjectOf(column) === 'bounce_reason')
    return isNoReason(text) ? NO_OPT_OUT : { optOut: 'bounced', isAll: YES.has(text) };
  const word = plainOf(text);
  const statusReason = REASON_BY_STATUS.get(word) ?? mostSevereIn(text);
  if (statusReason !== null) return { optOut: statusReason, isAll: true };
  if (CONSENTS.has(word) || EMPTY.has(text) || EMPTY_MOMENT.test(text)) return NO_OPT_OUT;
  const meaning = meaningOf(column);
  if (meaning === 'consent' || meaning === null) {
    if (ENDED_STATES.has(word)) return { optOut: 'unsubscribed', isAll: true };
    if (meaning === null) return null;
    if (NO.has(text)) return { optOut: 'unsubscribed', isAll: true };
    return YES.has(text) ? NO_OPT_OUT : MOMENT.test(text) ? { optOut: null, isAll: false } : null;
  }
  if (NO.has(text) || text === 'never') return NO_OPT_OUT;
  if (YES.has(text)) return { optOut: meaning, isAll: true };
  if (MOMENT.test(text)) return { optOut: meaning, isAll: false };
  if (meaning !== 'bounced') return null;
  if (SOFT_BOUNCE.test(text)) return NO_OPT_OUT;
  return HARD_BOUNCE.test(text) ? { optOut: 'bounced', isAll: true } : null;
}

/**
 * The values that are certain to concern mail in a column named `status`, which may be any status. No others count.
 */
const UNAMBIGUOUS_STATUSES = new Set([
  ...['unsubscribed', 'unsubscribe', 'unsub', 'optedout', 'optout', 'cleaned'],
  ...['bounced', 'hardbounced', 'hardbounce'],
  ...['complained', 'spamcomplaint', 'reportedspam', 'reportedasspam', 'markedasspam', 'abgemeldet'],
  ...['desabonne', 'desinscrit', 'uitgeschreven', 'disiscritto', 'desuscrito', 'descadastrado', 'wypisany'],
]);

/**
 * The opt-out that a field means by its name and value, whatever it is mapped to: in a field named for an opt-out, a
 * yes, a date or a word for an opt-out; in one named for consent, a no or such a word. A consent has no effect: no
 * one is opted in.
 */
export function optOutFromField(name: string, value: JsonValue): OptOutReason | null {
  const subject = subjectOf(name);
  if (subject === null) return null;
  const text = textOf(value);
  if (text === null) return null;
  const word = plainOf(text);
  const statusReason = REASON_BY_STATUS.get(word) ?? null;
  switch (subject) {
    case 'mail_status':
      return (
        statusReason ??
        mostSevereIn(text) ??
        (NO.has(text) && meaningOf(name) === 'consent' ? 'unsubscribed' : null)
      );
    case 'status':
      return UNAMBIGUOUS_STATUSES.has(word) ? statusReason : null;
    case 'consent':
      return NO.has(text) ? 'unsubscribed' : UNCONFIRMED.includes(word) ? null : statusReason;
    case 'bounce_type':
      return (
        statusReason ?? (HARD_BOUNCE.test(text) || YES.has(text) || MOMENT.test(text) ? 'bounced' : null)
      );
    case 'bounce_reason':
      return isNoReason(text) ? null : 'bounced';
    default:
      return (
        statusReason ??
        mostSevereIn(text) ??
        (YES.has(text) || MOMENT.test(text) || isHard(subject, text) ? subject : null)
      );
  }
}

/** The meaning of a yes or a no, in the languages of spreadsheets; undefined for any other text. */
export function truthIn(written: string): boolean | undefined {
  const text = textOf(written) ?? '';
  return YES.has(text) ? true : NO.has(text) ? false : undefined;
}

const NO_OPT_OUT: StatusReading = { optOut: null, isAll: true };

function isHard(subject: OptOutReason, text: string): boolean {
  return subject === 'bounced' && HARD_BOUNCE.test(text);
}

/** Any text is a reason, except one that says that there is none, or that it was temporary. */
function isNoReason(text: string): boolean {
  return NO.has(text) || EMPTY.has(text) || EMPTY_MOMENT.test(text) || SOFT_BOUNCE.test(text);
}

/** The meaning of a column that is mapped to the status: single words of its name suffice. */
function meaningOf(column: string): OptOutReason | 'consent' | null {
  const subject = subjectOf(column);
  if (subject === 'bounce_type' || subject === 'bounce_reason') return 'bounced';
  if (subject !== null && subject !== 'status' && subject !== 'mail_status') return subject;
  const name = wordsOf(column);
  if (COMPLAINED_COLUMN.test(name)) return 'complained';
  if (BOUNCED_COLUMN.test(name)) return SOFT.test(name) ? null : 'bounced';
  if (OPT_OUT_COLUMN.test(name)) return 'unsubscribed';
  return OPT_IN_COLUMN.test(name) ? 'consent' : null;
}

function textOf(value: JsonValue): string | null {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null;
  return withoutAccents(String(value).slice(0, MAX_TEXT_LENGTH).trim().toLowerCase());
}

/**
 * The most severe of several opt-outs, such as `UNSUBSCRIBE, HARD_BOUNCE`; null if one of the words is not an
 * opt-out.
 */
function mostSevereIn(text: string): OptOutReason | null {
  if (!/[,;|[\]]/.test(text)) return null;
  const words = text.split(/[,;|[\]]/).map(plainOf);
  let reason: OptOutReason | null = null;
  for (const word of words.filter((one) => one !== '')) {
    const next = REASON_BY_STATUS.get(word);
    if (next === undefined) return null;
    reason = moreSevere(reason, next);
  }
  return reason;
}

function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')).map(withoutAccents));
}

/** Number of characters of a text that are read. */
const MAX_TEXT_LENGTH = 255;

/** Converts `opted_out`, `Opted-Out` and `optedOut` to `optedout`. */
function plainOf(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

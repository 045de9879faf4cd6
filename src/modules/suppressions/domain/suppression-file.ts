/**
 * Reads lists of suppressed addresses as other services export them, and writes them as CSV (RFC 4180) with a header.
 * Cells that a spreadsheet would execute get an apostrophe when written, and lose it when read.
 */
import { FORMULA_START } from '../../../kernel/csv-line.js';
import { isEmailAddress } from '../../../kernel/email-address.js';
import { beginningOf } from '../../../kernel/text-length.js';
import { writtenMoment } from '../../../kernel/written-moment.js';
import { LONGEST_NOTE, type Suppression, type SuppressionReason } from './suppression.js';
import { ADDRESS_FIELDS, suppressionRecords, type SuppressionRecord } from './suppression-records.js';
import { reasonOfFile, toldReason, type ToldReason } from './suppression-words.js';

export interface SuppressionLine {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly since: Date | undefined;
  readonly note: string | null;
}

export interface SuppressionFile {
  readonly rows: readonly SuppressionLine[];
  /** Number of rejected lines: they have no address, no known reason, or a reason that does not stop mail. */
  readonly refused: number;
  /** The first of these errors, by line number in the file. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** A mail server's reply, as another service stored it. */
export interface KeptReply {
  readonly code: string | null;
  readonly detail: string | null;
}

export interface SuppressionReading {
  /** Maximum number of rows in one file. */
  readonly most: number;
  /** The name of the file, which may reveal the reason. */
  readonly name?: string | undefined;
  /** The reason for addresses whose reason is not in the file, or would not stop mail permanently. */
  readonly reason?: SuppressionReason | undefined;
  /** Whether a server's reply means that the address is permanently dead. */
  readonly isHard?: ((reply: KeptReply) => boolean) | undefined;
}

/** Maximum number of errors that are listed; further ones are only counted. */
const MOST_ERRORS = 100;
/** Text that a spreadsheet would execute, or that looks like an escaped one. */
const GUARDED = new RegExp(`^'*${FORMULA_START}`);

/** Names of fields, most likely first. */
const REASON_FIELDS = ['suppressionreason', 'reason'];
/** They contain a reason in some services, and something else in others. */
const LIKE_REASONS = ['source', 'origin', 'suppressiontype', 'bouncetype', 'type', 'event'];
const CODES = ['status', 'code', 'enhancedcode', 'errorcode'];
const DETAILS = ['error', 'detail', 'details', 'description', 'diagnosticcode', 'message'];
const NOTES = ['note', 'detail', 'details', 'description', 'error'];
const MOMENTS = [
  ...['since', 'created', 'createdat', 'suppressedat', 'addedat', 'bouncedat', 'lastupdatetime'],
  ...['lastupdatedat', 'updated', 'updatedat', 'lasteventat', 'timestamp', 'date'],
];
/** The format of mail (RFC 2822), used by Mailgun. */
const MAIL_DATE =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})?(?: (?:[A-Z]{3}|[+-]\d{4}))?$/;
/** A text that quotes a server's reply. */
const REPLY = /(?:^|\D)[45](?:\d\d|\.\d{1,3}\.\d{1,3})(?:\D|$)/;
/** Codes of SMTP, of RFC 3463, and Mailgun's own from 600. */
const CODE = /^[4-6]\d\d$|^[45]\.\d{1,3}\.\d{1,3}$/;
/**
 * The fields of Mailgun's opt-outs: there, tags are what the person opted out of. In other files they are the
 * person's tags.
 */
const OF_MAILGUN: ReadonlySet<string> = new Set(['address', 'tags', 'createdat', 'id']);
/** Mailgun: an opt-out from everything. */
const EVERY_TAG = '*';

/**
 * Parses a complete file.
 * @throws DomainError invalid_field for a file without a column of addresses, with too many rows, or that is
 *   malformed.
 */
export function readSuppressionFile(file: string, reading: SuppressionReading): SuppressionFile {
  const records = suppressionRecords(file, reading.most);
  const rows: SuppressionLine[] = [];
  const errors: { line: number; message: string }[] = [];
  let refused = 0;
  for (const record of records) {
    const row = lineOf(record, reading);
    if (typeof row !== 'string') {
      rows.push(row);
      continue;
    }
    refused++;
    if (errors.length < MOST_ERRORS) errors.push({ line: record.line, message: row });
  }
  return { rows, refused, errors };
}
/** The parsed record; a message if its address must not be suppressed. */
function lineOf(
  record: SuppressionRecord,
  { name = '', reason, isHard = () => true }: SuppressionReading,
): SuppressionLine | string {
  const first = (names: readonly string[]): string => firstOf(record, names);
  const email = first(ADDRESS_FIELDS);
  if (!isEmailAddress(email)) return 'is not an email address';
  const written = reasonOf(record, reason ?? reasonOfFile(name));
  const reply = replyOf(record);
  const isTemporary = written === 'temporary' || (written === 'hard_bounce' && reply && !isHard(reply));
  const told = written === undefined || isTemporary ? reason : written;
  if (told === undefined) return isTemporary ? 'is not a permanent bounce' : 'has no known reason';
  if (told === 'unsubscribed' && isOfSomeMail(record)) return 'is only unsubscribed from some mail';
  const isUnsubscribed = told === 'unsubscribed';
  return {
    email,
    reason: isUnsubscribed ? 'manual' : told,
    since: momentOf(first(MOMENTS)),
    note: noteOf(first(NOTES)) ?? (isUnsubscribed ? 'unsubscribed' : null),
  };
}

function isOfSomeMail({ values }: SuppressionRecord): boolean {
  const tags = (values.get('tags') ?? '').split(' ').filter((tag) => tag !== '');
  return (
    tags.length > 0 && !tags.includes(EVERY_TAG) && [...values.keys()].every((name) => OF_MAILGUN.has(name))
  );
}

/** Undefined if the reason in the record is not known. */
function reasonOf(record: SuppressionRecord, ofFile: ToldReason | undefined): ToldReason | undefined {
  const words = firstOf(record, REASON_FIELDS);
  const texts = [words, ...LIKE_REASONS.map((name) => firstOf(record, [name]))];
  const [known] = texts.flatMap((text) => (text === '' ? [] : (toldReason(text) ?? [])));
  if (known !== undefined || ofFile !== undefined) return known ?? ofFile;
  // Services that store server replies store them for bounces.
  if (replyOf(record)) return 'hard_bounce';
  if (words !== '') return undefined;
  // SendGrid includes the IP address for spam reports.
  return record.values.has('ip') ? 'complaint' : 'manual';
}

/** A server's reply; undefined if the record has none. */
function replyOf(record: SuppressionRecord): KeptReply | undefined {
  const code = firstOf(record, CODES);
  const isCode = CODE.test(code);
  const details = [...REASON_FIELDS, ...DETAILS].map((name) => firstOf(record, [name]));
  const detail = details.find((text) => REPLY.test(text)) ?? (isCode ? firstOf(record, DETAILS) : '');
  if (!isCode && detail === '') return undefined;
  return { code: isCode ? code : null, detail: detail === '' ? null : detail };
}

function firstOf({ values }: SuppressionRecord, names: readonly string[]): string {
  for (const name of names) {
    const value = unguarded((values.get(name) ?? '').trim());
    if (value !== '') return value;
  }
  return '';
}

function momentOf(text: string): Date | undefined {
  const instant = writtenMoment(text.replace(/ UTC$/, 'Z'))?.instant;
  if (instant !== undefined) return new Date(instant);
  return MAIL_DATE.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined;
}

function noteOf(text: string): string | null {
  const note = beginningOf(text.replaceAll('\0', '').toWellFormed(), LONGEST_NOTE);
  return note === '' ? null : note;
}

/** The header line of a written file. */
export const SUPPRESSION_HEADER = 'email,reason,since,note\r\n';

/** Further lines, in the format that `readSuppressionFile` reads, for the rows that have an address. */
export function suppressionLines(suppressions: readonly Suppression[]): string {
  const lines = suppressions.flatMap(({ address, reason, since, note }) =>
    address === null
      ? []
      : [`${[address, reason, since.toISOString(), note ?? ''].map(written).join(',')}\r\n`],
  );
  return lines.join('');
}

function written(cell: string): string {
  const guarded = GUARDED.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function unguarded(cell: string): string {
  return cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell;
}

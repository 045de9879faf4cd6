/**
 * Reads lists of suppressed addresses as other services export them, and writes them as CSV (RFC 4180) with a header.
 * Cells that a spreadsheet would execute get an apostrophe when written, and lose it when read.
 */
import { FORMULA_START } from '../../../kernel/csv-line.js';
import { isEmailAddress } from '../../../kernel/email-address.js';
import { truncate } from '../../../kernel/text-length.js';
import { parseMoment } from '../../../kernel/parse-moment.js';
import { MAX_NOTE_LENGTH, type Suppression, type SuppressionReason } from './suppression.js';
import { ADDRESS_FIELDS, suppressionRecords, type SuppressionRecord } from './suppression-records.js';
import { reasonOfFile, parseReason, type StatedReason } from './suppression-reasons.js';

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
export interface StoredReply {
  readonly code: string | null;
  readonly detail: string | null;
}

export interface SuppressionFileOptions {
  /** Maximum number of rows in one file. */
  readonly most: number;
  /** The name of the file, which may reveal the reason. */
  readonly name?: string | undefined;
  /** The reason for addresses whose reason is not in the file, or would not stop mail permanently. */
  readonly reason?: SuppressionReason | undefined;
  /** Whether a server's reply means that the address is permanently dead. */
  readonly isHard?: ((reply: StoredReply) => boolean) | undefined;
}

/** Maximum number of errors that are listed; further ones are only counted. */
const MAX_ERRORS = 100;
/** Text that a spreadsheet would execute, or that looks like an escaped one. */
const ESCAPED_FORMULA = new RegExp(`^'*${FORMULA_START}`);

/** Names of fields, most likely first. */
const REASON_FIELDS = ['suppressionreason', 'reason'];
/** They contain a reason in some services, and something else in others. */
const POSSIBLE_REASON_FIELDS = ['source', 'origin', 'suppressiontype', 'bouncetype', 'type', 'event'];
const CODE_FIELDS = ['status', 'code', 'enhancedcode', 'errorcode'];
const DETAIL_FIELDS = ['error', 'detail', 'details', 'description', 'diagnosticcode', 'message'];
const NOTE_FIELDS = ['note', 'detail', 'details', 'description', 'error'];
const TIME_FIELDS = [
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
const MAILGUN_FIELDS: ReadonlySet<string> = new Set(['address', 'tags', 'createdat', 'id']);
/** Mailgun: an opt-out from everything. */
const ALL_TAGS = '*';

/**
 * Parses a complete file.
 * @throws DomainError invalid_field for a file without a column of addresses, with too many rows, or that is
 *   malformed.
 */
export function readSuppressionFile(file: string, options: SuppressionFileOptions): SuppressionFile {
  const records = suppressionRecords(file, options.most);
  const rows: SuppressionLine[] = [];
  const errors: { line: number; message: string }[] = [];
  let refused = 0;
  for (const record of records) {
    const row = lineOf(record, options);
    if (typeof row !== 'string') {
      rows.push(row);
      continue;
    }
    refused++;
    if (errors.length < MAX_ERRORS) errors.push({ line: record.line, message: row });
  }
  return { rows, refused, errors };
}
/** The parsed record; a message if its address must not be suppressed. */
function lineOf(
  record: SuppressionRecord,
  { name = '', reason, isHard = () => true }: SuppressionFileOptions,
): SuppressionLine | string {
  const first = (names: readonly string[]): string => firstOf(record, names);
  const email = first(ADDRESS_FIELDS);
  if (!isEmailAddress(email)) return 'is not an email address';
  const written = reasonOf(record, reason ?? reasonOfFile(name));
  const reply = replyOf(record);
  const isTemporary = written === 'temporary' || (written === 'hard_bounce' && reply && !isHard(reply));
  const stated = written === undefined || isTemporary ? reason : written;
  if (stated === undefined) return isTemporary ? 'is not a permanent bounce' : 'has no known reason';
  if (stated === 'unsubscribed' && isPartialOptOut(record)) return 'is only unsubscribed from some mail';
  const isUnsubscribed = stated === 'unsubscribed';
  return {
    email,
    reason: isUnsubscribed ? 'manual' : stated,
    since: momentOf(first(TIME_FIELDS)),
    note: noteOf(first(NOTE_FIELDS)) ?? (isUnsubscribed ? 'unsubscribed' : null),
  };
}

function isPartialOptOut({ values }: SuppressionRecord): boolean {
  const tags = (values.get('tags') ?? '').split(' ').filter((tag) => tag !== '');
  return (
    tags.length > 0 &&
    !tags.includes(ALL_TAGS) &&
    [...values.keys()].every((name) => MAILGUN_FIELDS.has(name))
  );
}

/** Undefined if the reason in the record is not known. */
function reasonOf(record: SuppressionRecord, ofFile: StatedReason | undefined): StatedReason | undefined {
  const statedText = firstOf(record, REASON_FIELDS);
  const texts = [statedText, ...POSSIBLE_REASON_FIELDS.map((name) => firstOf(record, [name]))];
  const [known] = texts.flatMap((text) => (text === '' ? [] : (parseReason(text) ?? [])));
  if (known !== undefined || ofFile !== undefined) return known ?? ofFile;
  // Services that store server replies store them for bounces.
  if (replyOf(record)) return 'hard_bounce';
  if (statedText !== '') return undefined;
  // SendGrid includes the IP address for spam reports.
  return record.values.has('ip') ? 'complaint' : 'manual';
}

/** A server's reply; undefined if the record has none. */
function replyOf(record: SuppressionRecord): StoredReply | undefined {
  const code = firstOf(record, CODE_FIELDS);
  const isCode = CODE.test(code);
  const details = [...REASON_FIELDS, ...DETAIL_FIELDS].map((name) => firstOf(record, [name]));
  const detail = details.find((text) => REPLY.test(text)) ?? (isCode ? firstOf(record, DETAIL_FIELDS) : '');
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
  const instant = parseMoment(text.replace(/ UTC$/, 'Z'))?.instant;
  if (instant !== undefined) return new Date(instant);
  return MAIL_DATE.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined;
}

function noteOf(text: string): string | null {
  const note = truncate(text.replaceAll('\0', '').toWellFormed(), MAX_NOTE_LENGTH);
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
  const guarded = ESCAPED_FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function unguarded(cell: string): string {
  return cell.startsWith("'") && ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell;
}

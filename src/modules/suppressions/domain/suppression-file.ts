/**
 * Lists of suppressed addresses as CSV (RFC 4180): a header, of which `email` (or `address`) is asked for and `reason`,
 * `since` and `note` are read; whatever other columns there are is read past, so that lists of other services can be
 * taken as they are. Cells that a spreadsheet would run begin with an apostrophe when written, and lose it when read.
 */
import { FORMULA_START } from '../../../kernel/csv-line.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import { isEmailAddress } from '../../../kernel/email-address.js';
import { readIsoMoment } from '../../../kernel/iso-moment.js';
import { beginningOf } from '../../../kernel/text-length.js';
import {
  LONGEST_NOTE,
  SUPPRESSION_REASONS,
  type Suppression,
  type SuppressionReason,
} from './suppression.js';

export interface SuppressionLine {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly since: Date | undefined;
  readonly note: string | null;
}

export interface SuppressionFile {
  readonly rows: readonly SuppressionLine[];
  /** How many lines say no address, or no reason. */
  readonly refused: number;
  /** The first of those, by their number in the file. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** What other services call the reasons. */
const REASONS: ReadonlyMap<string, SuppressionReason> = new Map([
  ...SUPPRESSION_REASONS.map((reason) => [reason, reason] as const),
  ['', 'manual'],
  ['bounce', 'hard_bounce'],
  ['hardbounce', 'hard_bounce'],
  ['hard bounce', 'hard_bounce'],
  ['spam', 'complaint'],
  ['spamcomplaint', 'complaint'],
  ['spam complaint', 'complaint'],
  ['manualsuppression', 'manual'],
]);

/** Refused lines that are told of; of more, only how many. */
const MOST_ERRORS = 100;
/** What a spreadsheet would run, and what looks like a guarded one. */
const GUARDED = new RegExp(`^'*${FORMULA_START}`);

/**
 * Reads a file whole.
 * @throws DomainError invalid_field for a file without a column of addresses, of more than `most` rows, or whose quotes
 *   do not close.
 */
export function readSuppressionFile(csv: string, most: number): SuppressionFile {
  const [header, ...lines] = recordsOf(csv.replace(/^\ufeff/, ''), most);
  const columns = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
  const at = (...names: readonly string[]): number => columns.findIndex((name) => names.includes(name));
  const [email, reason, since, note] = [
    at('email', 'address', 'email_address'),
    at('reason'),
    at('since'),
    at('note'),
  ];
  if (email === -1) throw fileError('must have a column called email');
  const rows: SuppressionLine[] = [];
  const errors: { line: number; message: string }[] = [];
  let refused = 0;
  const cell = (cells: readonly string[], place: number): string => unguarded((cells[place] ?? '').trim());
  for (const { line, cells } of lines) {
    const address = cell(cells, email);
    const why = REASONS.get(cell(cells, reason).toLowerCase());
    const moment = readIsoMoment(cell(cells, since));
    const words = beginningOf(cell(cells, note).replaceAll('\0', '').toWellFormed(), LONGEST_NOTE);
    if (isEmailAddress(address) && why !== undefined) {
      const since = moment && new Date(moment.start);
      rows.push({ email: address, reason: why, since, note: words === '' ? null : words });
      continue;
    }
    refused++;
    const message =
      why === undefined && isEmailAddress(address) ? 'has no known reason' : 'is no email address';
    if (errors.length < MOST_ERRORS) errors.push({ line, message });
  }
  return { rows, refused, errors };
}

/** The first line of a file that is written. */
export const SUPPRESSION_HEADER = 'email,reason,since,note\r\n';

/** Further lines, as `readSuppressionFile` reads them: of the rows that have an address. */
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

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** One cell and what ends it: quoted, with doubled quotes inside, or plain. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** The records of a file, with the numbers of the lines on which they begin; empty lines are none. */
function recordsOf(csv: string, most: number): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let [line, start] = [1, 1];
  for (let place = 0; place < csv.length;) {
    CELL.lastIndex = place;
    const match = CELL.exec(csv);
    if (!match) throw fileError(`is no CSV on line ${line}`);
    const [whole, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    place = CELL.lastIndex;
    line += whole.split(/\r\n|\n|\r/).length - 1;
    if (end === ',' && place < csv.length) continue;
    if (cells.length > 1 || cells[0] !== '') records.push({ line: start, cells });
    if (records.length > most + 1) throw fileError(`must have at most ${most} rows`);
    cells = [];
    start = line;
  }
  return records;
}

function fileError(message: string): Error {
  return invalidFields([{ field: 'file', message }]);
}

/**
 * Reads the records of a list of addresses exported by any service: CSV with or without a header, JSON, or JSON
 * lines. Only letters and digits of field names are compared.
 */
import { invalidFields } from '../../../kernel/domain-error.js';
import { isEmailAddress } from '../../../kernel/email-address.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';

export interface SuppressionRecord {
  /** Line number in CSV, or index of a JSON item. */
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

/** Names of address fields, most likely first. */
export const ADDRESS_FIELDS = ['email', 'address', 'emailaddress', 'recipient', 'recipientaddress'];

/** Maximum depth at which a list is searched in JSON. */
const MAX_LIST_DEPTH = 3;
/** Columns of a file that begins with an address: the import format of Amazon SES. */
const COLUMNS_WITHOUT_HEADER = ['email', 'reason'];
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * @throws DomainError invalid_field for a file without an address field, with more than `maxRows` records, or that is
 *   malformed.
 */
export function suppressionRecords(file: string, maxRows: number): SuppressionRecord[] {
  const text = file.replace(/^\ufeff/, '');
  const first = text.trimStart()[0];
  const records = first === '{' || first === '[' ? jsonRecords(text) : csvRecords(text, maxRows);
  if (records.length > maxRows) throw fileError(`must have at most ${maxRows} rows`);
  return records;
}

function fileError(message: string): Error {
  return invalidFields([{ field: 'file', message }]);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function jsonRecords(text: string): SuppressionRecord[] {
  const records = itemsOf(parsed(text)).map((item, index) => ({
    line: index + 1,
    values: new Map(isJsonObject(item) ? valuesOf(item) : [['email', typeof item === 'string' ? item : '']]),
  }));
  if (records.length > 0 && !records.some(({ values }) => hasAddress(values.keys()))) throw noAddresses();
  return records;
}

function hasAddress(names: Iterable<string>): boolean {
  return [...names].some((name) => ADDRESS_FIELDS.includes(name));
}

function noAddresses(): Error {
  return fileError('must have a column named email');
}

function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch {
      throw fileError('is malformed JSON');
    }
  }
}

/** The items of the lists in a file: one list as the whole file, under a name, or on each line. */
function itemsOf(documents: readonly unknown[], level = 0): unknown[] {
  return documents.flatMap((document) => {
    if (level > MAX_LIST_DEPTH) return [document];
    if (Array.isArray(document)) return itemsOf(document, level + 1);
    if (!isJsonObject(document)) return [document];
    if (valuesOf(document).some(([name]) => ADDRESS_FIELDS.includes(name))) return [document];
    const lists = Object.values(document).filter((value) => Array.isArray(value));
    return lists.length > 0 ? lists.flatMap((list) => itemsOf(list, level + 1)) : [document];
  });
}

function valuesOf(item: JsonObject): [string, string][] {
  return Object.entries(item).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[plainName(name), String(value)]]
      : Array.isArray(value)
        ? [[plainName(name), value.map(String).join(' ')]]
        : // Brevo writes the reason as an object with a code.
          isJsonObject(value) && typeof value['code'] === 'string'
          ? [[plainName(name), value['code']]]
          : [],
  );
}

function csvRecords(text: string, maxRows: number): SuppressionRecord[] {
  const [firstLine = ''] = text.split(/\r\n|\n|\r/, 1);
  const delimiter = DELIMITERS.find((one) => firstLine.includes(one)) ?? ',';
  const rows = rowsOf(text, delimiter, maxRows);
  const header = rows[0]?.cells.map((name) => plainName(name)) ?? [];
  const isHeaderless = rows[0]?.cells.some((cell) => isEmailAddress(cell.trim())) ?? false;
  const columns = isHeaderless ? COLUMNS_WITHOUT_HEADER : header;
  if (!hasAddress(columns)) throw noAddresses();
  return rows.slice(isHeaderless ? 0 : 1).map(({ line, cells }) => ({
    line,
    values: new Map(
      columns
        .map((name, index): [string, string] => [name, cells[index] ?? ''])
        // Of columns with the same name, the first counts.
        .toReversed(),
    ),
  }));
}

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A cell and its terminator: quoted, with doubled quotes inside, or plain. */
const cellPattern = (delimiter: string): RegExp =>
  new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^"${delimiter}\\r\\n]*))(${delimiter}|\\r\\n|\\n|\\r|$)`, 'y');

/** The rows of a file, with the line numbers where they begin; empty lines are skipped. */
function rowsOf(csv: string, delimiter: string, maxRows: number): CsvRow[] {
  const cell = cellPattern(delimiter);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [line, start] = [1, 1];
  for (let position = 0; position < csv.length;) {
    cell.lastIndex = position;
    const match = cell.exec(csv);
    if (!match) throw fileError(`is not valid CSV on line ${line}`);
    const [whole, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    position = cell.lastIndex;
    line += whole.split(/\r\n|\n|\r/).length - 1;
    if (end === delimiter && position < csv.length) continue;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: start, cells });
    if (rows.length > maxRows + 1) throw fileError(`must have at most ${maxRows} rows`);
    cells = [];
    start = line;
  }
  return rows;
}

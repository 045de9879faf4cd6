/**
 * Describes an upload by its first megabyte and by what was found while receiving it. Expensive enough for a worker
 * thread: see DESCRIBE.
 */
import { invalidFields } from '../../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import { jsonText } from '../../../../kernel/json-text.js';
import { truncate } from '../../../../kernel/text-length.js';
import type { ThreadTask } from '../../../../kernel/thread-task.js';
import { columnsOf } from './columns.js';
import { CsvLines, hasTooManyCells, isCells } from './csv-reader.js';
import {
  type DescribedFile,
  type FileEncoding,
  type FileFormatInfo,
  SEPARATORS,
  type Separator,
} from './import-file.js';
import { endOfValue } from './json-value-end.js';
import { headerIn, readerOf, initialReaderState } from './open-file.js';
import { AT_END, MAX_COLUMNS, NEEDS_MORE, PAUSES, type RawRecord } from './raw-record.js';
import { suggestedTypes } from '../field-types.js';
import { isOwnExport } from './own-export.js';
import { suggestedMapping } from './suggested-mapping.js';
import { markedEncoding } from './text-encoding.js';
import { type TextWindow, windowOn } from './text-window.js';

/** Number of records in the sample. */
const SAMPLE_RECORDS = 5;
/** Records that determine the columns of JSON, and the types of all columns. */
const RECORDS_FOR_COLUMNS = 1_000;
/** Lines that determine the separator. */
const LINES_FOR_SEPARATOR = 20;
/** Pieces of work within which the header and the following lines must be found. */
const MAX_PIECES = 64;
/** Maximum length of a value in the sample, in characters. */
const MAX_SHOWN_LENGTH = 500;
/** Bytes that determine whether a file without a mark is UTF-16. */
const BYTES_FOR_UTF16 = 1_024;

export interface ReceivedFile {
  /** The first megabyte, or the whole file if it is smaller. */
  readonly head: Buffer;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Whether the whole file is valid UTF-8. */
  readonly isUtf8: boolean;
}

/** Why a file cannot be read: the text that follows the word "file". */
interface UnsupportedFile {
  readonly unfit: string;
}

/** Describes a file on a worker thread. */
export const DESCRIBE: ThreadTask<ReceivedFile, DescribedFile | UnsupportedFile> = {
  name: 'imports.describe',
  // Cloning turns a Buffer into a plain array of bytes.
  run: (received) => describeOrReject({ ...received, head: Buffer.from(received.head) }),
};

/** @throws DomainError invalid_field if the file cannot be read. */
export function describeFile(received: ReceivedFile): DescribedFile {
  return assertSupported(describeOrReject(received));
}

/** @throws DomainError invalid_field */
export function assertSupported(result: DescribedFile | UnsupportedFile): DescribedFile {
  if ('unfit' in result) throw invalidFields([{ field: 'file', message: result.unfit }]);
  return result;
}

function describeOrReject(received: ReceivedFile): DescribedFile | UnsupportedFile {
  try {
    return descriptionOf(received);
  } catch (error) {
    if (error instanceof UnsupportedFileError) return { unfit: error.message };
    throw error;
  }
}

function descriptionOf(received: ReceivedFile): DescribedFile {
  const encoding = encodingOf(received);
  const open = (): TextWindow => windowOn(received.head, encoding, received.size === received.head.length);
  const { text } = open();
  const start = text.trimStart();
  if (start === '') throw unsupported('is empty');
  if (isCompressed(received.head))
    throw unsupported(
      'is compressed or a workbook: save a workbook as CSV, and extract archives before uploading',
    );
  const format = jsonFormat(start);
  const formatInfo =
    format === undefined
      ? csvFormatInfo(open, text, encoding)
      : { format, encoding, separator: null, columns: [] };
  const records = firstRecords(open(), formatInfo, text);
  const columns = format === undefined ? formatInfo.columns : namesIn(records);
  if (columns.length === 0) throw unsupported(NO_RECORD);
  const sample = records.slice(0, SAMPLE_RECORDS).map((fields) => shown(fields));
  const mapping = suggestedMapping(columns);
  const others = isOwnExport({ ...formatInfo, columns })
    ? []
    : columns.filter((name) => mapping[name] === undefined);
  return {
    ...formatInfo,
    columns,
    sample,
    suggestedMapping: mapping,
    suggestedTypes: suggestedTypes(records, others),
  };
}

/** By the byte order mark. Without one: UTF-8 if the whole file is valid UTF-8, otherwise Latin-1. */
function encodingOf({ head, isUtf8 }: ReceivedFile): FileEncoding {
  const marked = markedEncoding(head) ?? unmarkedUtf16(head);
  if (marked !== undefined && marked !== 'utf-8') return marked;
  return isUtf8 ? 'utf-8' : 'latin1';
}

/** In UTF-16 text that is mostly ASCII, every other byte is zero, and none of the others. */
function unmarkedUtf16(head: Buffer): FileEncoding | undefined {
  const start = head.subarray(0, BYTES_FOR_UTF16);
  const zeros = [0, 0];
  start.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > start.length / 4 && even === 0) return 'utf-16le';
  return even > start.length / 4 && odd === 0 ? 'utf-16be' : undefined;
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const GZIP = [0x1f, 0x8b];

/** Includes Excel's own files, which are zip archives. */
function isCompressed(head: Buffer): boolean {
  return [ZIP, GZIP].some((sign) => sign.every((byte, at) => head[at] === byte));
}

/** Detects JSON by its start; undefined for CSV. Objects that each span several lines are read as JSON. */
function jsonFormat(start: string): 'json' | 'ndjson' | undefined {
  if (/^\[\s*(?:[[{\]"\d]|$)/.test(start)) return 'json';
  if (!/^\{\s*["}]/.test(start)) return undefined;
  const [line = ''] = start.split(/[\r\n]/, 1);
  if (isJson(line)) return 'ndjson';
  const { end } = endOfValue(start, 0, false);
  return end > 0 && isJson(start.slice(0, end)) ? 'json' : 'ndjson';
}

function isJson(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function csvFormatInfo(open: () => TextWindow, text: string, encoding: FileEncoding): FileFormatInfo {
  const state = initialReaderState(text);
  let best:
    { readonly separator: Separator; readonly header: readonly string[]; readonly score: number } | undefined;
  const { at } = open();
  let isTooWide = false;
  for (const separator of SEPARATORS) {
    isTooWide ||= hasTooManyCells({ text, at }, separator, state.isOldMac ? '\r' : '\n');
    const lines = new CsvLines(open(), separator, state);
    const budget = new PieceBudget();
    const header = cellsOf(budget.run(() => headerIn(lines, separator)));
    const score = header.length > 1 ? header.length * matchingShare(lines, header.length, budget) : 0;
    if (!best || score > best.score) best = { separator, header, score };
  }
  const header = best?.header ?? [];
  if (header.length === 0 && !isTooWide) throw unsupported('has a header that cannot be read');
  if (header.length === 0 || header.length > MAX_COLUMNS)
    throw unsupported(`has more than ${MAX_COLUMNS} columns`);
  if (CONTROL.test(header.join(''))) throw unsupported('is not a CSV file, JSON array or NDJSON');
  return { format: 'csv', encoding, separator: best?.separator ?? ',', columns: columnsOf(header) };
}

const CONTROL = /[\0-\x08\x0e-\x1f]/;

const NO_RECORD = 'contains no readable record';

/**
 * Repeats a search that pauses, up to a total number of pieces of work. What is not found by then counts as missing.
 */
class PieceBudget {
  private pieces = 0;

  run<Found>(find: () => Found | typeof PAUSES): Found | typeof NEEDS_MORE {
    for (; this.pieces < MAX_PIECES; this.pieces++) {
      const found = find();
      if (found !== PAUSES) return found;
    }
    return NEEDS_MORE;
  }
}

/** A header that does not end within the part read counts as missing. */
function cellsOf(header: readonly string[] | typeof NEEDS_MORE): readonly string[] {
  return header === NEEDS_MORE ? [] : header;
}

/**
 * The share of the next lines with the same number of cells, where lines with fewer count half. A small value if none
 * fits; 1 if there are no more lines.
 */
function matchingShare(lines: CsvLines, cells: number, budget: PieceBudget): number {
  let all = 0;
  let fit = 0;
  for (; all < LINES_FOR_SEPARATOR; all++) {
    const line = budget.run(() => lines.next());
    if (line === AT_END || line === NEEDS_MORE) break;
    if (isCells(line) && line.length > 1 && line.length <= cells) fit += line.length === cells ? 1 : 0.5;
  }
  return all === 0 ? 1 : fit / all + 0.01;
}

/** @throws Unfit if there is no record at all. */
function firstRecords(window: TextWindow, formatInfo: FileFormatInfo, text: string): JsonObject[] {
  const state = initialReaderState(text);
  const separator = formatInfo.separator ?? ',';
  const budget = new PieceBudget();
  if (formatInfo.format === 'csv') {
    const lines = new CsvLines(window, separator, state);
    budget.run(() => headerIn(lines, separator));
  }
  const reader = readerOf(formatInfo, window, state);
  const records: JsonObject[] = [];
  for (let count = 0; count < RECORDS_FOR_COLUMNS; count++) {
    const record = budget.run(() => reader.next());
    if (record === AT_END && count === 0) throw unsupported(NO_RECORD);
    if (record === AT_END || record === NEEDS_MORE) break;
    if (isReadable(record)) records.push(record.fields);
  }
  return records;
}

function isReadable(record: RawRecord): record is RawRecord & { readonly fields: JsonObject } {
  return record.fields !== null;
}

function namesIn(records: readonly JsonObject[]): string[] {
  const names = new Set(records.flatMap((fields) => Object.keys(fields)));
  return [...names].slice(0, MAX_COLUMNS);
}

/** A record with long values cut. Lists and objects are shown as the start of their JSON. */
function shown(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value, MAX_SHOWN_LENGTH);
  const json = jsonText(value);
  return json.length > MAX_SHOWN_LENGTH ? truncate(json, MAX_SHOWN_LENGTH) : value;
}

class UnsupportedFileError extends Error {
  override readonly name = 'UnsupportedFileError';
}

function unsupported(message: string): UnsupportedFileError {
  return new UnsupportedFileError(message);
}

/**
 * Describes an upload by its first megabyte and by what was found while receiving it. Expensive enough for a worker
 * thread: see DESCRIBE.
 */
import { invalidFields } from '../../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import { jsonText } from '../../../../kernel/json-text.js';
import { beginningOf } from '../../../../kernel/text-length.js';
import type { ThreadTask } from '../../../../kernel/thread-task.js';
import { columnsOf } from './columns.js';
import { CsvLines, hasTooManyCells, isCells } from './csv-reader.js';
import {
  type DescribedFile,
  type FileEncoding,
  type FileFacts,
  SEPARATORS,
  type Separator,
} from './import-file.js';
import { endOfValue } from './json-places.js';
import { headerIn, readerOf, stateAtBeginning } from './open-file.js';
import { AT_END, MOST_COLUMNS, NEEDS_MORE, PAUSES, type RawRecord } from './raw-record.js';
import { suggestedTypes } from '../field-types.js';
import { isOwnExport } from './own-export.js';
import { suggestedMapping } from './suggested-mapping.js';
import { markedEncoding } from './text-encoding.js';
import { type TextWindow, windowOn } from './text-window.js';

/** Number of records in the sample. */
const SAMPLE = 5;
/** Records that determine the columns of JSON, and the types of all columns. */
const RECORDS_FOR_COLUMNS = 1_000;
/** Lines that determine the separator. */
const LINES_FOR_SEPARATOR = 20;
/** Pieces of work within which the header and the following lines must be found. */
const MOST_PIECES = 64;
/** Maximum length of a value in the sample, in characters. */
const LONGEST_SHOWN = 500;
/** Bytes that determine whether a file without a mark is UTF-16. */
const BYTES_FOR_UTF16 = 1_024;

export interface SeenFile {
  /** The first megabyte, or the whole file if it is smaller. */
  readonly head: Buffer;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Whether the whole file is valid UTF-8. */
  readonly isUtf8: boolean;
}

/** Why a file cannot be read: the text that follows the word "file". */
interface UnfitFile {
  readonly unfit: string;
}

/** Describes a file on a worker thread. */
export const DESCRIBE: ThreadTask<SeenFile, DescribedFile | UnfitFile> = {
  name: 'imports.describe',
  // Cloning turns a Buffer into a plain array of bytes.
  run: (seen) => lookedAt({ ...seen, head: Buffer.from(seen.head) }),
};

/** @throws DomainError invalid_field if the file cannot be read. */
export function describeFile(seen: SeenFile): DescribedFile {
  return described(lookedAt(seen));
}

/** @throws DomainError invalid_field */
export function described(looked: DescribedFile | UnfitFile): DescribedFile {
  if ('unfit' in looked) throw invalidFields([{ field: 'file', message: looked.unfit }]);
  return looked;
}

function lookedAt(seen: SeenFile): DescribedFile | UnfitFile {
  try {
    return descriptionOf(seen);
  } catch (error) {
    if (error instanceof Unfit) return { unfit: error.message };
    throw error;
  }
}

function descriptionOf(seen: SeenFile): DescribedFile {
  const encoding = encodingOf(seen);
  const open = (): TextWindow => windowOn(seen.head, encoding, seen.size === seen.head.length);
  const { text } = open();
  const start = text.trimStart();
  if (start === '') throw unfit('is empty');
  if (isCompressed(seen.head))
    throw unfit('is compressed or a workbook: save a workbook as CSV, and extract archives before uploading');
  const format = jsonFormat(start);
  const facts =
    format === undefined
      ? csvFacts(open, text, encoding)
      : { format, encoding, separator: null, columns: [] };
  const records = firstRecords(open(), facts, text);
  const columns = format === undefined ? facts.columns : namesIn(records);
  if (columns.length === 0) throw unfit(NO_RECORD);
  const sample = records.slice(0, SAMPLE).map((fields) => shown(fields));
  const mapping = suggestedMapping(columns);
  const others = isOwnExport({ ...facts, columns })
    ? []
    : columns.filter((name) => mapping[name] === undefined);
  return {
    ...facts,
    columns,
    sample,
    suggestedMapping: mapping,
    suggestedTypes: suggestedTypes(records, others),
  };
}

/** By the byte order mark. Without one: UTF-8 if the whole file is valid UTF-8, otherwise Latin-1. */
function encodingOf({ head, isUtf8 }: SeenFile): FileEncoding {
  const marked = markedEncoding(head) ?? unmarkedUtf16(head);
  if (marked !== undefined && marked !== 'utf-8') return marked;
  return isUtf8 ? 'utf-8' : 'latin1';
}

/** In UTF-16 text that is mostly ASCII, every other byte is zero, and none of the others. */
function unmarkedUtf16(head: Buffer): FileEncoding | undefined {
  const looked = head.subarray(0, BYTES_FOR_UTF16);
  const zeros = [0, 0];
  looked.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > looked.length / 4 && even === 0) return 'utf-16le';
  return even > looked.length / 4 && odd === 0 ? 'utf-16be' : undefined;
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

function csvFacts(open: () => TextWindow, text: string, encoding: FileEncoding): FileFacts {
  const state = stateAtBeginning(text);
  let best:
    { readonly separator: Separator; readonly header: readonly string[]; readonly score: number } | undefined;
  const { at } = open();
  let isTooWide = false;
  for (const separator of SEPARATORS) {
    isTooWide ||= hasTooManyCells({ text, at }, separator, state.isOldMac ? '\r' : '\n');
    const lines = new CsvLines(open(), separator, state);
    const patience = new Patience();
    const header = cellsOf(patience.with(() => headerIn(lines, separator)));
    const score = header.length > 1 ? header.length * fitting(lines, header.length, patience) : 0;
    if (!best || score > best.score) best = { separator, header, score };
  }
  const header = best?.header ?? [];
  if (header.length === 0 && !isTooWide) throw unfit('has a header that cannot be read');
  if (header.length === 0 || header.length > MOST_COLUMNS)
    throw unfit(`has more than ${MOST_COLUMNS} columns`);
  if (CONTROL.test(header.join(''))) throw unfit('is not a CSV file, JSON array or NDJSON');
  return { format: 'csv', encoding, separator: best?.separator ?? ',', columns: columnsOf(header) };
}

const CONTROL = /[\0-\x08\x0e-\x1f]/;

const NO_RECORD = 'contains no readable record';

/**
 * Repeats a search that pauses, up to a total number of pieces of work. What is not found by then counts as missing.
 */
class Patience {
  private pieces = 0;

  with<Found>(find: () => Found | typeof PAUSES): Found | typeof NEEDS_MORE {
    for (; this.pieces < MOST_PIECES; this.pieces++) {
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
function fitting(lines: CsvLines, cells: number, patience: Patience): number {
  let all = 0;
  let fit = 0;
  for (; all < LINES_FOR_SEPARATOR; all++) {
    const line = patience.with(() => lines.next());
    if (line === AT_END || line === NEEDS_MORE) break;
    if (isCells(line) && line.length > 1 && line.length <= cells) fit += line.length === cells ? 1 : 0.5;
  }
  return all === 0 ? 1 : fit / all + 0.01;
}

/** @throws Unfit if there is no record at all. */
function firstRecords(window: TextWindow, facts: FileFacts, text: string): JsonObject[] {
  const state = stateAtBeginning(text);
  const separator = facts.separator ?? ',';
  const patience = new Patience();
  if (facts.format === 'csv') {
    const lines = new CsvLines(window, separator, state);
    patience.with(() => headerIn(lines, separator));
  }
  const reader = readerOf(facts, window, state);
  const records: JsonObject[] = [];
  for (let seen = 0; seen < RECORDS_FOR_COLUMNS; seen++) {
    const record = patience.with(() => reader.next());
    if (record === AT_END && seen === 0) throw unfit(NO_RECORD);
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
  return [...names].slice(0, MOST_COLUMNS);
}

/** A record with long values cut. Lists and objects are shown as the start of their JSON. */
function shown(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return beginningOf(value, LONGEST_SHOWN);
  const json = jsonText(value);
  return json.length > LONGEST_SHOWN ? beginningOf(json, LONGEST_SHOWN) : value;
}

class Unfit extends Error {
  override readonly name = 'Unfit';
}

function unfit(message: string): Unfit {
  return new Unfit(message);
}

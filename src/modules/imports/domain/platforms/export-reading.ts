/**
 * Pages of an export's records with a cursor that can be stored: the file within the export, and the byte offset in
 * it. Compressed data can only be read from the beginning, so a reading stays open between two pages of a time slice.
 * After a kill, the next reading decompresses again what precedes its cursor.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import type { SourceCalls } from '../import-source.js';
import { columnsOf } from '../files/columns.js';
import { CsvLines, CsvReader } from '../files/csv-reader.js';
import { skipHeader, readMore } from '../files/open-file.js';
import { INITIAL_STATE, AT_END, NEEDS_MORE, PAUSES } from '../files/raw-record.js';
import { TextWindow } from '../files/text-window.js';
import { DamagedExport, ExportFile, type ExportPart, since } from './export-file.js';
import { linesIn, objectOf } from './export-records.js';
import { markedStorablePart } from '../storable-part.js';

/**
 * Lines of JSON are compressed, possibly in an archive without files. A plain file instead of them is something else.
 */
export type ExportFormat = 'ndjson' | 'csv';

/** Whether these are the columns of an export. An export without contacts still has its header. */
export type IsHeader = (columns: readonly string[]) => boolean;

/** Maximum number of records of a page. */
const MAX_PAGE_RECORDS = 2_000;
/** Maximum characters of a page, which contains at least one record. */
const MAX_PAGE_CHARACTERS = 2 * 1_024 * 1_024;

export interface ExportPosition {
  /** Index of the file within the export, from 0. */
  readonly part: number;
  /** Decompressed bytes of that file that have been read. */
  readonly offset: number;
}

export interface ExportPage {
  /** Null for a record that cannot be read. */
  readonly records: readonly (JsonObject | null)[];
  readonly place: ExportPosition;
  readonly isLast: boolean;
  /** How much of the download has been read, from 0 to 1. */
  readonly share: number;
}

/** The download no longer exists. */
export class LostDownload extends Error {
  override readonly name = 'LostDownload';
}

/** A download, and its size in bytes. */
export interface Download {
  readonly fileId: string;
  readonly size: number;
}

interface ReadRecord {
  readonly value: JsonObject | null;
  readonly place: ExportPosition;
  /** Length in characters. */
  readonly length: number;
}

interface Reading {
  readonly fileId: string;
  readonly file: ExportFile;
  readonly records: AsyncGenerator<readonly ReadRecord[]>;
  /** Records that were read; those from index `nextIndex` on are not returned yet. */
  read: readonly ReadRecord[];
  nextIndex: number;
  place: ExportPosition;
}

const openReadings = new WeakMap<SourceCalls, Reading>();

/**
 * The page after a cursor.
 * @throws LostDownload
 * @throws DamagedExport if the download is no complete export.
 * @throws SourceFailure file_unreadable if it decompresses to too much; the signal's reason if the time slice has
 * ended.
 */
export async function readExportPage(
  calls: SourceCalls,
  download: Download,
  format: ExportFormat,
  from: ExportPosition,
  isHeader: IsHeader = () => true,
): Promise<ExportPage> {
  calls.signal.throwIfAborted();
  const reading = await readingAt(calls, download, format, from, isHeader);
  const records: (JsonObject | null)[] = [];
  let length = 0;
  let isLast = false;
  try {
    while (records.length < MAX_PAGE_RECORDS && length < MAX_PAGE_CHARACTERS) {
      const next = reading.read[reading.nextIndex++];
      if (next === undefined) {
        const more = await reading.records.next();
        if (more.done) {
          // Closing a reading ends its bytes, too; that is not the end of the export.
          calls.signal.throwIfAborted();
          isLast = true;
          break;
        }
        reading.read = more.value;
        reading.nextIndex = 0;
        continue;
      }
      records.push(next.value);
      length += next.length;
      reading.place = next.place;
    }
  } catch (error) {
    openReadings.delete(calls);
    throw error;
  }
  if (isLast) openReadings.delete(calls);
  const { position, size } = reading.file;
  return { records, place: reading.place, isLast, share: size === 0 ? 1 : Math.min(1, position / size) };
}

async function readingAt(
  calls: SourceCalls,
  { fileId, size }: Download,
  format: ExportFormat,
  position: ExportPosition,
  isHeader: IsHeader,
): Promise<Reading> {
  const previous = openReadings.get(calls);
  if (previous?.fileId === fileId && isSame(previous.place, position)) return previous;
  openReadings.delete(calls);
  await previous?.records.return(undefined);
  const file = await ExportFile.open(calls, fileId);
  if (file.size !== size) throw new LostDownload('The download no longer exists.');
  if (size === 0) throw new DamagedExport('The download is empty.');
  const records = recordsFrom(file, format, position, isHeader);
  const reading = { fileId, file, records, read: [], nextIndex: 0, place: position };
  openReadings.set(calls, reading);
  calls.signal.addEventListener(
    'abort',
    () => {
      reading.records.return(undefined).catch(() => undefined);
    },
    { once: true },
  );
  return reading;
}

function isSame(one: ExportPosition, other: ExportPosition): boolean {
  return one.part === other.part && one.offset === other.offset;
}

async function* recordsFrom(
  file: ExportFile,
  format: ExportFormat,
  from: ExportPosition,
  isHeader: IsHeader,
): AsyncGenerator<readonly ReadRecord[]> {
  let number = 0;
  for await (const part of file.parts()) {
    if (format === 'ndjson' && !part.isCompressed) throw new DamagedExport('The download is not an archive.');
    const position = { part: number, offset: number === from.part ? from.offset : 0 };
    if (number >= from.part)
      yield* format === 'csv' ? rowsOf(part, position, isHeader) : linesOf(part, position);
    number++;
  }
  if (format === 'csv' && number === 0) throw new DamagedExport('The archive contains no file.');
}

async function* linesOf(
  part: ExportPart,
  { part: number, offset }: ExportPosition,
): AsyncGenerator<ReadRecord[]> {
  for await (const lines of linesIn(part.bytes(offset), offset)) {
    yield lines
      .filter(({ text }) => text === null || text.trim() !== '')
      .map(({ text, end }) => ({
        value: text === null ? null : objectOf(text),
        place: { part: number, offset: end },
        length: text?.length ?? 0,
      }));
  }
}

const SEPARATOR = ',';
const NOT_STORABLE = 'contains a value that cannot be stored';

/** Rows by column name. Each row has all columns, with an empty string for a missing value. */
async function* rowsOf(
  part: ExportPart,
  { part: number, offset }: ExportPosition,
  isHeader: IsHeader,
): AsyncGenerator<ReadRecord[]> {
  const { columns, end } = await headerOf(part);
  if (!isHeader(columns)) throw new DamagedExport('The download lacks the header of an export.');
  const from = Math.max(offset, end);
  const bytes = since(from, wellFormed(part.bytes(0)));
  const window = new TextWindow(bytes, 'utf-8', from);
  const reader = new CsvReader(new CsvLines(window, SEPARATOR, INITIAL_STATE), columns, false);
  const empty = Object.fromEntries(columns.map((name) => [name, '']));
  try {
    for (let isMore = true; isMore; isMore = await readMore(window, reader)) {
      const records: ReadRecord[] = [];
      for (let before = window.position(); ; before = window.position()) {
        const record = reader.next();
        if (record === NEEDS_MORE || record === AT_END) break;
        if (record === PAUSES) {
          await new Promise(setImmediate);
          continue;
        }
        const fields =
          record.fields ??
          (record.readablePart ? markedStorablePart(record.readablePart, NOT_STORABLE) : null);
        const value = fields && { ...empty, ...fields };
        const position = { part: number, offset: window.offset() };
        records.push({ value, place: position, length: window.position() - before });
      }
      if (records.length > 0) yield records;
    }
  } finally {
    await bytes.return(undefined);
  }
}

async function headerOf(
  part: ExportPart,
): Promise<{ readonly columns: readonly string[]; readonly end: number }> {
  const bytes = wellFormed(part.bytes(0));
  try {
    const window = new TextWindow(bytes, 'utf-8', 0);
    const columns = columnsOf(await skipHeader(window, SEPARATOR, INITIAL_STATE));
    return { columns, end: window.offset() };
  } finally {
    await bytes.return(undefined);
  }
}

/** Re-encodes the text as valid UTF-8, so that positions in the text correspond to byte offsets. */
async function* wellFormed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/**
 * Pages of an export's records behind a place that can be stored: the file of the export, and the byte in it. What is
 * folded can only be read from its beginning, so a reading stays open between two pages of a turn; after a kill the
 * next one unfolds again what stands before its place.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import type { SourceCalls } from '../import-source.js';
import { ExportFile, type ExportPart } from './export-file.js';
import { headerIn, objectOf, type RawRecord, recordsIn, rowOf } from './export-records.js';

export type ExportFormat = 'ndjson' | 'csv';

/** Records of a page. */
const MOST_RECORDS = 2_000;
/** Bytes of a page, one record in any case. */
const LARGEST_PAGE = 4 * 1_024 * 1_024;

export interface ExportPlace {
  /** Of the export's files, from 0. */
  readonly part: number;
  /** Bytes of that file that have been read, unfolded. */
  readonly offset: number;
}

export interface ExportPage {
  /** Null for a record that cannot be read. */
  readonly records: readonly (JsonObject | null)[];
  readonly place: ExportPlace;
  readonly isLast: boolean;
  /** How much of the download has been read, from 0 to 1. */
  readonly share: number;
}

/** The download is not there any more. */
export class LostDownload extends Error {
  override readonly name = 'LostDownload';
}

/** A download, and the bytes that it had. */
export interface Download {
  readonly fileId: string;
  readonly size: number;
}

interface ReadRecord {
  readonly value: JsonObject | null;
  readonly place: ExportPlace;
  readonly bytes: number;
}

interface Reading {
  readonly fileId: string;
  readonly file: ExportFile;
  readonly records: AsyncGenerator<ReadRecord>;
  place: ExportPlace;
}

const open = new WeakMap<SourceCalls, Reading>();

/**
 * The page behind a place.
 * @throws LostDownload
 * @throws DamagedExport where the download is no whole export.
 * @throws SourceFailure file_unreadable for what unfolds to too much.
 */
export async function readExportPage(
  calls: SourceCalls,
  download: Download,
  format: ExportFormat,
  place: ExportPlace,
): Promise<ExportPage> {
  const reading = await readingAt(calls, download, format, place);
  const records: (JsonObject | null)[] = [];
  let bytes = 0;
  let isLast = false;
  try {
    while (records.length < MOST_RECORDS && bytes < LARGEST_PAGE) {
      const next = await reading.records.next();
      if (next.done) {
        isLast = true;
        break;
      }
      records.push(next.value.value);
      bytes += next.value.bytes;
      reading.place = next.value.place;
    }
  } catch (error) {
    open.delete(calls);
    throw error;
  }
  if (isLast) open.delete(calls);
  const { position, size } = reading.file;
  return { records, place: reading.place, isLast, share: size === 0 ? 1 : Math.min(1, position / size) };
}

async function readingAt(
  calls: SourceCalls,
  { fileId, size }: Download,
  format: ExportFormat,
  place: ExportPlace,
): Promise<Reading> {
  const before = open.get(calls);
  if (before?.fileId === fileId && isSame(before.place, place)) return before;
  open.delete(calls);
  await before?.records.return(undefined);
  const file = await ExportFile.open(calls, fileId);
  if (file.size !== size) throw new LostDownload('The download is not there any more.');
  const reading = { fileId, file, records: recordsFrom(file, format, place), place };
  open.set(calls, reading);
  calls.signal.addEventListener(
    'abort',
    () => {
      reading.records.return(undefined).catch(() => undefined);
    },
    { once: true },
  );
  return reading;
}

function isSame(one: ExportPlace, other: ExportPlace): boolean {
  return one.part === other.part && one.offset === other.offset;
}

async function* recordsFrom(
  file: ExportFile,
  format: ExportFormat,
  from: ExportPlace,
): AsyncGenerator<ReadRecord> {
  let number = 0;
  for await (const part of file.parts()) {
    const offset = number === from.part ? from.offset : 0;
    if (number >= from.part)
      yield* format === 'csv' ? rowsOf(part, number, offset) : linesOf(part, number, offset);
    number++;
  }
}

async function* linesOf(part: ExportPart, number: number, offset: number): AsyncGenerator<ReadRecord> {
  for await (const record of filled(recordsIn(part.bytes(offset), offset, false)))
    yield readRecord(record, number, objectOf);
}

async function* rowsOf(part: ExportPart, number: number, offset: number): AsyncGenerator<ReadRecord> {
  const { header, end } = await headerOf(part);
  for await (const record of filled(
    recordsIn(part.bytes(Math.max(offset, end)), Math.max(offset, end), true),
  ))
    yield readRecord(record, number, (text) => rowOf(header, text));
}

async function headerOf(
  part: ExportPart,
): Promise<{ readonly header: readonly string[]; readonly end: number }> {
  for await (const { text, end } of filled(recordsIn(part.bytes(0), 0, true)))
    return { header: headerIn(text ?? ''), end };
  return { header: [], end: 0 };
}

/** Empty lines are no records. */
async function* filled(records: AsyncIterable<RawRecord>): AsyncGenerator<RawRecord> {
  for await (const record of records) if (record.text === null || record.text.trim() !== '') yield record;
}

function readRecord(
  { text, end }: RawRecord,
  part: number,
  read: (text: string) => JsonObject | null,
): ReadRecord {
  return {
    value: text === null ? null : read(text),
    place: { part, offset: end },
    bytes: text === null ? 0 : Buffer.byteLength(text),
  };
}

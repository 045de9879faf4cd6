/** Creates the reader of a file, from its beginning or from where an earlier reader has stopped. */
import { CsvLines, CsvReader, isCells } from './csv-reader.js';
import type { FileFormatInfo } from './import-file.js';
import { JsonReader } from './json-reader.js';
import { NdjsonReader } from './ndjson-reader.js';
import { INITIAL_STATE, NEEDS_MORE, PAUSES, type ReaderState, type RecordReader } from './raw-record.js';
import type { TextWindow } from './text-window.js';

/** The line with which Excel declares the separator of a file. */
const SEPARATOR_LINE = /^sep=[,;\t|]?\r?$/i;
/** A carriage return without a line feed. */
const LONE_RETURN = /\r(?!\n|$)/;

/** Characters that determine the kind of line breaks. */
const CHARACTERS_FOR_LINES = 65_536;

/** The reader for the records of a window. For CSV, those after the header, see `skipHeader`. */
export function readerOf(
  { format, separator, columns }: FileFormatInfo,
  window: TextWindow,
  state: ReaderState,
): RecordReader {
  if (format === 'json') return new JsonReader(window, state);
  if (format === 'ndjson') return new NdjsonReader(window, state);
  return new CsvReader(new CsvLines(window, separator ?? ',', state), columns);
}

/** Detects the kind of line breaks from the start of a window's text. */
export function initialReaderState(text: string): ReaderState {
  return { ...INITIAL_STATE, isOldMac: !text.includes('\n') && LONE_RETURN.test(text) };
}

/**
 * Skips the header, and what Excel puts before it.
 * @returns its cells; an empty list if no header can be read.
 */
export async function skipHeader(
  window: TextWindow,
  separator: string,
  state: ReaderState,
): Promise<readonly string[]> {
  const lines = new CsvLines(window, separator, state);
  for (;;) {
    const cells = headerIn(lines, separator);
    if (cells === PAUSES) await new Promise(setImmediate);
    else if (cells === NEEDS_MORE) await window.more();
    else return cells;
  }
}

/** As `skipHeader`, for a source of lines that may need more data, or pause. */
export function headerIn(
  lines: CsvLines,
  separator: string,
): readonly string[] | typeof NEEDS_MORE | typeof PAUSES {
  for (;;) {
    const cells = lines.next();
    if (cells === NEEDS_MORE || cells === PAUSES) return cells;
    if (!isCells(cells)) return [];
    if (!SEPARATOR_LINE.test(cells.join(separator))) return cells;
  }
}

/** Reads enough to detect the kind of line breaks. */
export async function detectReaderState(window: TextWindow): Promise<ReaderState> {
  do await window.more();
  while (!window.isEnd && window.text.length < CHARACTERS_FOR_LINES && !window.text.includes('\n'));
  return initialReaderState(window.text);
}

/** Makes the window read more. @returns false at the end. */
export async function readMore(window: TextWindow, reader: RecordReader): Promise<boolean> {
  const consumed = window.at;
  if (!(await window.more())) return false;
  reader.shifted(consumed);
  return true;
}

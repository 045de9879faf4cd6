/**
 * Reads CSV with `csv-parse`, in pieces of text that are parsed as a whole. The last record of a piece is read again
 * with the next piece, unless the file ends there. A record without an end within the maximum length costs only its
 * first line, and reading resumes at the next line; the same holds for a quotation mark that is never closed. The
 * reader pauses between two pieces, so the thread is never blocked for longer than one piece.
 */
import { type Options, Parser } from 'csv-parse';
import { FORMULA_START } from '../../../../kernel/csv-line.js';
import { isStorableText } from '../../../../kernel/json.js';
import {
  AT_END,
  MAX_RECORD_CHARACTERS,
  NEEDS_MORE,
  type NextRecord,
  NOT_STORABLE,
  PAUSES,
  type RawRecord,
  type ReaderState,
  type RecordReader,
  TOO_LONG,
  unreadable,
} from './raw-record.js';
import { storablePart } from '../storable-part.js';
import type { TextWindow } from './text-window.js';

/** Characters that are parsed at a time; more for a longer record, up to the largest piece. */
const PIECE_CHARACTERS = 65_536;
const MAX_PIECE_CHARACTERS = MAX_RECORD_CHARACTERS + 1;
/** Rows that are parsed at a time, if they are short. */
const MAX_PIECE_ROWS = 1_000;

/** Cells of a row: as many as an Excel sheet has columns. Parsing more would cost too much. */
const MAX_CELLS = 16_384;
const TOO_MANY_CELLS = `The row has more than ${MAX_CELLS.toLocaleString('en')} cells.`;

const NEVER_CLOSED = 'A quotation mark is not closed.';
const BLANKS = /^[ \r]*$/;

/** The cells of a line; an unreadable record; or the state of the window. */
export type NextCells = readonly string[] | RawRecord | typeof NEEDS_MORE | typeof PAUSES | typeof AT_END;

interface Row {
  readonly cells: readonly string[];
  /** Characters, including the line break and preceding empty lines. */
  readonly length: number;
}

/** Reads lines as cells, without knowing their meaning. Skips lines without any text. */
export class CsvLines {
  private isSkipping: boolean;
  /**
   * Parsed rows; those from index `nextIndex` on are not returned yet. The window's position is at the first of those.
   */
  private parsedRows: readonly Row[] = [];
  private nextIndex = 0;
  private piece = PIECE_CHARACTERS;
  private readonly lineBreak: string;
  private readonly options: Options;

  constructor(
    readonly window: TextWindow,
    separator: string,
    private readonly initialState: ReaderState,
  ) {
    this.isSkipping = initialState.isPassingOver;
    this.lineBreak = initialState.isOldMac ? '\r' : '\n';
    this.options = {
      delimiter: separator,
      // Drops blanks before a quotation mark, which would otherwise make it a literal character of the cell.
      ltrim: true,
      relaxQuotes: true,
      relaxColumnCount: true,
      skipRecordsWithError: true,
    };
  }

  state(): ReaderState {
    return { ...this.initialState, isPassingOver: this.isSkipping };
  }

  next(): NextCells {
    for (;;) {
      if (this.isSkipping) return this.skipLine();
      const row = this.parsedRows[this.nextIndex++];
      if (row === undefined) return this.parseNextPiece();
      this.window.at += row.length;
      if (row.cells.length > MAX_CELLS) return unreadable(TOO_MANY_CELLS);
      const [first = ''] = row.cells;
      if (row.cells.length > 1 || !BLANKS.test(first)) return row.cells;
    }
  }

  /** Skips the rest of the line that is too long. */
  private skipLine(): RawRecord | typeof NEEDS_MORE {
    const { window } = this;
    const end = window.text.indexOf(this.lineBreak, window.at);
    window.at = end < 0 ? window.text.length : end + 1;
    if (end < 0 && !window.isEnd) return NEEDS_MORE;
    this.isSkipping = false;
    return unreadable(TOO_LONG);
  }

  /** Skips empty lines, and parses the piece after them. */
  private parseNextPiece(): Exclude<NextCells, readonly string[]> {
    const { window } = this;
    window.at = skipBlankLines(window.text, window.at, this.lineBreak);
    const { text, at, isEnd } = window;
    const left = text.length - at;
    if (left === 0 && isEnd) return AT_END;
    if (left < this.piece && !isEnd) return NEEDS_MORE;
    if (hasTooManyCells(window, this.options.delimiter as string, this.lineBreak)) return this.skipWideRow();
    const piece = text.slice(at, at + this.piece);
    const isLast = isEnd && left <= this.piece;
    this.parsedRows = this.rowsIn(piece, isLast);
    this.nextIndex = 0;
    if (this.parsedRows.length === 0) {
      if (isLast || this.piece === MAX_PIECE_CHARACTERS) return this.skipUnclosedRow(piece);
      this.piece = Math.min(this.piece * 2, MAX_PIECE_CHARACTERS);
    } else this.piece = PIECE_CHARACTERS;
    return PAUSES;
  }

  /** Skips a row with too many cells without parsing it. */
  private skipWideRow(): RawRecord | typeof NEEDS_MORE | typeof PAUSES {
    const { window } = this;
    const { text, at, isEnd } = window;
    let end = endOfRow(window, this.lineBreak);
    if (end < 0 && !isEnd && text.length - at < MAX_PIECE_CHARACTERS) {
      this.piece = MAX_PIECE_CHARACTERS;
      return NEEDS_MORE;
    }
    this.piece = PIECE_CHARACTERS;
    if (end < 0) end = text.indexOf(this.lineBreak, at);
    this.isSkipping = end < 0 && !isEnd;
    if (this.isSkipping) return PAUSES;
    window.at = end < 0 ? text.length : end + 1;
    return unreadable(TOO_MANY_CELLS);
  }

  /** The rows of a piece that end within it. A row with an unclosed quotation mark is not included. */
  private rowsIn(piece: string, isLast: boolean): Row[] {
    const rows: Row[] = [];
    let from = 0;
    // Searching for a single kind of line break, if there is only one, saves a sixth of the time.
    const hasWindowsBreaks = this.lineBreak === '\n' && piece.includes('\r\n');
    const recordDelimiter = hasWindowsBreaks ? ['\r\n', '\n'] : this.lineBreak;
    for (const cells of rowsOf(piece, { ...this.options, recordDelimiter }, MAX_PIECE_ROWS)) {
      const end = this.endOf(cells, piece, from) || (isLast ? piece.length : 0);
      if (end === 0) break;
      rows.push({ cells, length: end - from });
      from = end;
    }
    return rows;
  }

  /**
   * The index after the line break of a row that starts at `from`, found by the line breaks within its cells; 0 if
   * there is none.
   */
  private endOf(cells: readonly string[], piece: string, from: number): number {
    const { lineBreak } = this;
    let end = piece.indexOf(lineBreak, from) + 1;
    for (const cell of cells)
      for (let at = cell.indexOf(lineBreak); at >= 0 && end > 0; at = cell.indexOf(lineBreak, at + 1))
        end = piece.indexOf(lineBreak, end) + 1;
    return end;
  }

  /** A record does not end within a piece of the maximum size. Only its first line is lost. */
  private skipUnclosedRow(piece: string): RawRecord | typeof PAUSES {
    this.piece = PIECE_CHARACTERS;
    const end = piece.indexOf(this.lineBreak);
    this.window.at += end < 0 ? piece.length : end + 1;
    this.isSkipping = end < 0 && piece.length > MAX_RECORD_CHARACTERS;
    return this.isSkipping ? PAUSES : unreadable(NEVER_CLOSED);
  }
}

/**
 * Reads records of named cells, trimmed. Leaves out empty cells, since they change nothing. Missing cells of a
 * shorter row are allowed, since Excel leaves out empty cells at the end of a row.
 */
export class CsvReader implements RecordReader {
  /** @param acceptsShortRows whether to accept a row with fewer cells than the header. */
  constructor(
    private readonly lines: CsvLines,
    private readonly columns: readonly string[],
    private readonly acceptsShortRows = true,
  ) {}

  shifted(): void {
    // Nothing to do: all rows read ahead were returned by then.
  }

  state(): ReaderState {
    return this.lines.state();
  }

  next(): NextRecord {
    const { columns } = this;
    const { window } = this.lines;
    const from = window.at;
    const cells = this.lines.next();
    if (!isCells(cells)) return cells;
    const text = window.text.slice(from, window.at);
    const isStorable = isStorableText(text);
    if (!this.fits(cells))
      return unreadable(
        isStorable ? `The row has ${cells.length} cells and the header ${columns.length}.` : NOT_STORABLE,
      );
    const fields: Record<string, string> = {};
    for (let at = 0; at < columns.length; at++) {
      const cell = plainCell(cells[at] ?? '');
      if (cell !== '') fields[columns[at] ?? ''] = cell;
    }
    return isStorable ? { fields, problem: '' } : unreadable(NOT_STORABLE, storablePart(fields));
  }

  /** A row may only be longer than the header if the extra cells are empty. */
  private fits(cells: readonly string[]): boolean {
    const { length } = this.columns;
    if (cells.length < length) return this.acceptsShortRows;
    return cells.slice(length).every((cell) => cell === '');
  }
}

const QUOTE = 0x22;

type TextPosition = Pick<TextWindow, 'text' | 'at'>;

/** Whether the row at a position has more cells than allowed, determined without parsing it. */
export function hasTooManyCells({ text, at }: TextPosition, separator: string, lineBreak: string): boolean {
  const [separates, ends] = [separator.charCodeAt(0), lineBreak.charCodeAt(0)];
  let cells = 1;
  let isQuoted = false;
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (code === ends) return false;
    else if (code === separates && ++cells > MAX_CELLS) return true;
  }
  return false;
}

/**
 * The index of the line break after the row at a position, ignoring those within quotation marks; -1 if there is
 * none.
 */
function endOfRow({ text, at }: TextPosition, lineBreak: string): number {
  const ends = lineBreak.charCodeAt(0);
  let isQuoted = false;
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (code === ends && !isQuoted) return index;
  }
  return -1;
}

/** A quoted cell with blanks after it, which the parser returns unchanged. */
const PADDED = /^"([^"]*)"\s+$/;

/** A text that a spreadsheet would run as a formula, with the apostrophe that exports put before it. */
const GUARDED = new RegExp(`^'+${FORMULA_START}`);

function plainCell(cell: string): string {
  const padded = cell.charCodeAt(0) === QUOTE ? PADDED.exec(cell)?.[1] : undefined;
  const plain = (padded ?? cell).trim();
  return GUARDED.test(plain) ? plain.slice(1) : plain;
}

export function isCells(cells: NextCells): cells is readonly string[] {
  return Array.isArray(cells);
}

const SPACE = 0x20;
const RETURN = 0x0d;

/**
 * The index after the blank lines that start at an index, which are not records; that index itself if its line is not
 * blank, or has no end.
 */
function skipBlankLines(text: string, start: number, lineBreak: string): number {
  const breaking = lineBreak.charCodeAt(0);
  let end = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === breaking) end = at + 1;
    else if (code !== SPACE && code !== RETURN) break;
  }
  return end;
}

/** The part of the parser's stream that parses a whole text synchronously. */
interface WholeParser {
  readonly info: { records: number };
  parse(bytes: Buffer, isEnd: true, push: (row: string[]) => void, close: () => void): Error | undefined;
}

/**
 * The first rows of a text, as `csv-parse` splits them. Each row is parsed as if it were the first: the parser
 * compares later rows with the first one and creates an error for each that has more or fewer cells, which costs
 * fifty times as much as the row.
 * @param maxRows rows; what follows is not read.
 * @throws any error that the parser does not tolerate.
 */
function rowsOf(text: string, options: Options, maxRows: number): readonly (readonly string[])[] {
  const rows: string[][] = [];
  // The parser stops after its first counted record. The callback resets the count, so only the last row wanted is
  // counted.
  const { api } = new Parser({ ...options, to: 1 }) as unknown as { readonly api: WholeParser };
  const push = (row: string[]): void => {
    if (rows.push(row) < maxRows) api.info.records = 0;
  };
  const error = api.parse(Buffer.from(text), true, push, () => undefined);
  if (error) throw error;
  return rows;
}

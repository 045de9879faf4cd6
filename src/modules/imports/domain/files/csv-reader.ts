/**
 * CSV by `csv-parse`, which takes lines and cells apart, within pieces of text that it reads whole: of each piece the
 * record at its end is read again with the next one, unless the file ends there. What does not end within the longest
 * record costs its own line, and is read from the next line on; so does a quotation mark that is never closed. Whoever
 * reads is told between two pieces: a piece is all that is ever done in one go.
 */
import type { Options } from 'csv-parse';
import { FORMULA_START } from '../../../../kernel/csv-line.js';
import { isStorableText } from '../../../../kernel/json.js';
import { behindBlankLines } from './blank-lines.js';
import { rowsOf } from './csv-rows.js';
import {
  AT_END,
  LONGEST_RECORD,
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
import { soundPart } from '../sound-part.js';
import type { TextWindow } from './text-window.js';

/** Characters that are taken apart at once, and at most, for a record that is longer. */
const PIECE = 65_536;
const LARGEST_PIECE = LONGEST_RECORD + 1;
/** Rows that are taken apart at once, where they are short. */
const ROWS_OF_PIECE = 1_000;

/** Cells of a row, as many as a sheet of Excel has columns: to take apart more costs more than the row can say. */
const MOST_CELLS = 16_384;
const TOO_MANY_CELLS = `The row has more than ${MOST_CELLS.toLocaleString('en')} cells.`;

const NEVER_CLOSED = 'A quotation mark is not closed.';
const BLANKS = /^[ \r]*$/;

/** The cells of a line; an unreadable record; or what the window says of it. */
export type NextCells = readonly string[] | RawRecord | typeof NEEDS_MORE | typeof PAUSES | typeof AT_END;

interface Row {
  readonly cells: readonly string[];
  /** Characters, its line break counted, and the empty lines before it. */
  readonly length: number;
}

/** Reads lines as cells, without knowing what they are for. Lines without any text are passed over. */
export class CsvLines {
  private isPassingOver: boolean;
  /** Rows that were taken apart and not given, from `given` on. The window stands at the first of them. */
  private ahead: readonly Row[] = [];
  private given = 0;
  private piece = PIECE;
  private readonly lineBreak: string;
  private readonly options: Options;

  constructor(
    readonly window: TextWindow,
    separator: string,
    private readonly begun: ReaderState,
  ) {
    this.isPassingOver = begun.isPassingOver;
    this.lineBreak = begun.isOldMac ? '\r' : '\n';
    this.options = {
      delimiter: separator,
      // Blanks before a quotation mark, which would make it one of the cell's own characters.
      ltrim: true,
      relaxQuotes: true,
      relaxColumnCount: true,
      skipRecordsWithError: true,
    };
  }

  state(): ReaderState {
    return { ...this.begun, isPassingOver: this.isPassingOver };
  }

  next(): NextCells {
    for (;;) {
      if (this.isPassingOver) return this.passOver();
      const row = this.ahead[this.given++];
      if (row === undefined) return this.readAhead();
      this.window.at += row.length;
      if (row.cells.length > MOST_CELLS) return unreadable(TOO_MANY_CELLS);
      const [first = ''] = row.cells;
      if (row.cells.length > 1 || !BLANKS.test(first)) return row.cells;
    }
  }

  /** Goes behind the end of the line that is too long. */
  private passOver(): RawRecord | typeof NEEDS_MORE {
    const { window } = this;
    const end = window.text.indexOf(this.lineBreak, window.at);
    window.at = end < 0 ? window.text.length : end + 1;
    if (end < 0 && !window.isEnd) return NEEDS_MORE;
    this.isPassingOver = false;
    return unreadable(TOO_LONG);
  }

  /** Goes over empty lines, and takes the piece behind them apart. */
  private readAhead(): Exclude<NextCells, readonly string[]> {
    const { window } = this;
    window.at = behindBlankLines(window.text, window.at, this.lineBreak);
    const { text, at, isEnd } = window;
    const left = text.length - at;
    if (left === 0 && isEnd) return AT_END;
    if (left < this.piece && !isEnd) return NEEDS_MORE;
    if (hasTooManyCells(window, this.options.delimiter as string, this.lineBreak)) return this.passWideRow();
    const piece = text.slice(at, at + this.piece);
    const isLast = isEnd && left <= this.piece;
    this.ahead = this.rowsIn(piece, isLast);
    this.given = 0;
    if (this.ahead.length === 0) {
      if (isLast || this.piece === LARGEST_PIECE) return this.giveUp(piece);
      this.piece = Math.min(this.piece * 2, LARGEST_PIECE);
    } else this.piece = PIECE;
    return PAUSES;
  }

  /** Goes behind a row of too many cells, which is not taken apart. */
  private passWideRow(): RawRecord | typeof NEEDS_MORE | typeof PAUSES {
    const { window } = this;
    const { text, at, isEnd } = window;
    let end = endOfRow(window, this.lineBreak);
    if (end < 0 && !isEnd && text.length - at < LARGEST_PIECE) {
      this.piece = LARGEST_PIECE;
      return NEEDS_MORE;
    }
    this.piece = PIECE;
    if (end < 0) end = text.indexOf(this.lineBreak, at);
    this.isPassingOver = end < 0 && !isEnd;
    if (this.isPassingOver) return PAUSES;
    window.at = end < 0 ? text.length : end + 1;
    return unreadable(TOO_MANY_CELLS);
  }

  /** The rows of a piece whose end can be seen in it. One whose quotation mark is not closed is not among them. */
  private rowsIn(piece: string, isLast: boolean): Row[] {
    const rows: Row[] = [];
    let from = 0;
    // One line break to look for, where there is one, saves a sixth of the time.
    const isOfWindows = this.lineBreak === '\n' && piece.includes('\r\n');
    const recordDelimiter = isOfWindows ? ['\r\n', '\n'] : this.lineBreak;
    for (const cells of rowsOf(piece, { ...this.options, recordDelimiter }, ROWS_OF_PIECE)) {
      const end = this.endOf(cells, piece, from) || (isLast ? piece.length : 0);
      if (end === 0) break;
      rows.push({ cells, length: end - from });
      from = end;
    }
    return rows;
  }

  /** Behind the line break of a row that begins at `from`, by those that its cells hold; 0 where there is none. */
  private endOf(cells: readonly string[], piece: string, from: number): number {
    const { lineBreak } = this;
    let end = piece.indexOf(lineBreak, from) + 1;
    for (const cell of cells)
      for (let at = cell.indexOf(lineBreak); at >= 0 && end > 0; at = cell.indexOf(lineBreak, at + 1))
        end = piece.indexOf(lineBreak, end) + 1;
    return end;
  }

  /** A record does not end within a piece of the largest size. Its first line is all that is lost. */
  private giveUp(piece: string): RawRecord | typeof PAUSES {
    this.piece = PIECE;
    const end = piece.indexOf(this.lineBreak);
    this.window.at += end < 0 ? piece.length : end + 1;
    this.isPassingOver = end < 0 && piece.length > LONGEST_RECORD;
    return this.isPassingOver ? PAUSES : unreadable(NEVER_CLOSED);
  }
}

/**
 * Reads records of named cells, without the blanks around them. An empty cell is left out, since it changes nothing; so is
 * one that a shorter row does not have, since Excel leaves out what is empty at the end of a row.
 */
export class CsvReader implements RecordReader {
  /** @param isShortRowRead whether a row with fewer cells than the header is one. */
  constructor(
    private readonly lines: CsvLines,
    private readonly columns: readonly string[],
    private readonly isShortRowRead = true,
  ) {}

  moved(): void {
    // Whatever was read ahead has been given by then.
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
    return isStorable ? { fields, problem: '' } : unreadable(NOT_STORABLE, soundPart(fields));
  }

  /** A row may be longer than the header by nothing but empty cells. */
  private fits(cells: readonly string[]): boolean {
    const { length } = this.columns;
    if (cells.length < length) return this.isShortRowRead;
    return cells.slice(length).every((cell) => cell === '');
  }
}

const QUOTE = 0x22;

type Place = Pick<TextWindow, 'text' | 'at'>;

/** Whether the row at a place has more cells than rows may have, without taking it apart. */
export function hasTooManyCells({ text, at }: Place, separator: string, lineBreak: string): boolean {
  const [separates, ends] = [separator.charCodeAt(0), lineBreak.charCodeAt(0)];
  let cells = 1;
  let isQuoted = false;
  for (let index = at; index < text.length; index++) {
    const sign = text.charCodeAt(index);
    if (sign === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === ends) return false;
    else if (sign === separates && ++cells > MOST_CELLS) return true;
  }
  return false;
}

/** Where the line break behind the row at a place is, those in quotation marks aside; -1 where there is none. */
function endOfRow({ text, at }: Place, lineBreak: string): number {
  const ends = lineBreak.charCodeAt(0);
  let isQuoted = false;
  for (let index = at; index < text.length; index++) {
    const sign = text.charCodeAt(index);
    if (sign === QUOTE) isQuoted = !isQuoted;
    else if (sign === ends && !isQuoted) return index;
  }
  return -1;
}

/** A quoted cell with blanks behind it, which is taken as it stands. */
const PADDED = /^"([^"]*)"\s+$/;

/** A text that a spreadsheet would run, with the apostrophe that exports put before it. */
const GUARDED = new RegExp(`^'+${FORMULA_START}`);

function plainCell(cell: string): string {
  const padded = cell.charCodeAt(0) === QUOTE ? PADDED.exec(cell)?.[1] : undefined;
  const plain = (padded ?? cell).trim();
  return GUARDED.test(plain) ? plain.slice(1) : plain;
}

export function isCells(cells: NextCells): cells is readonly string[] {
  return Array.isArray(cells);
}

/**
 * CSV as people have it (RFC 4180 and what is near it): any of four separators, quoted cells with line breaks, quotation
 * marks in the middle of cells. A line without quotation marks is split at once. A quotation mark that is never closed
 * costs its own line: what was read in search of its end is read again line by line, so that it swallows nothing.
 */
import {
  AT_END,
  LONGEST_RECORD,
  NEEDS_MORE,
  type NextRecord,
  NOT_STORABLE,
  type RawRecord,
  type ReaderState,
  type RecordReader,
  TOO_LONG,
  unreadable,
} from './raw-record.js';
import type { TextWindow } from './text-window.js';

const NEVER = Number.POSITIVE_INFINITY;
const NEVER_CLOSED = 'A quotation mark is never closed.';
const BLANKS = /^[ \r]*$/;

/** The cells of a line; an unreadable record; or what the window says of it. */
export type NextCells = readonly string[] | RawRecord | typeof NEEDS_MORE | typeof AT_END;

/** Reads lines as cells, without knowing what they are for. Lines without any text are passed over. */
export class CsvLines {
  private isPassingOver: boolean;
  /** Up to here, quoted cells end on their line. */
  private distrustedTo: number;
  private quoteAt = -1;
  private separatorAt = -1;
  private readonly lineBreak: string;

  constructor(
    readonly window: TextWindow,
    private readonly separator: string,
    private readonly begun: ReaderState,
  ) {
    this.isPassingOver = begun.isPassingOver;
    this.distrustedTo = window.at + begun.distrusted;
    this.lineBreak = begun.isOldMac ? '\r' : '\n';
  }

  /** The window's text was cut at its beginning by so many characters, or has grown. */
  moved(by: number): void {
    this.distrustedTo -= by;
    this.quoteAt = -1;
    this.separatorAt = -1;
  }

  state(): ReaderState {
    const distrusted = Math.max(0, this.distrustedTo - this.window.at);
    return { ...this.begun, isPassingOver: this.isPassingOver, distrusted };
  }

  next(): NextCells {
    for (;;) {
      if (this.isPassingOver && !this.passOver()) return this.window.isEnd ? AT_END : NEEDS_MORE;
      const { window } = this;
      const { text, at } = window;
      if (at >= text.length) return window.isEnd ? AT_END : NEEDS_MORE;
      const end = this.endOfLine(at);
      if (end === NEVER) {
        if (text.length - at <= LONGEST_RECORD) return NEEDS_MORE;
        this.isPassingOver = true;
        return unreadable(TOO_LONG);
      }
      if (this.nextQuote(at) < end) return this.quoted(at, end);
      window.at = end + 1;
      const line = text.slice(at, text.charCodeAt(end - 1) === CARRIAGE_RETURN && end > at ? end - 1 : end);
      if (BLANKS.test(line)) continue;
      return line.length > LONGEST_RECORD ? unreadable(TOO_LONG) : line.split(this.separator);
    }
  }

  /** Goes behind the line's end. @returns false where it is not there yet. */
  private passOver(): boolean {
    const end = this.window.text.indexOf(this.lineBreak, this.window.at);
    this.window.at = end < 0 ? this.window.text.length : end + 1;
    if (end < 0) return false;
    this.isPassingOver = false;
    return true;
  }

  /** Where the line ends: the place of its break, or the file's end; `NEVER` where it is not there yet. */
  private endOfLine(from: number): number {
    const end = this.window.text.indexOf(this.lineBreak, from);
    if (end >= 0) return end;
    return this.window.isEnd ? this.window.text.length : NEVER;
  }

  private nextQuote(from: number): number {
    if (this.quoteAt < from) this.quoteAt = found(this.window.text.indexOf('"', from));
    return this.quoteAt;
  }

  private nextSeparator(from: number): number {
    if (this.separatorAt < from) this.separatorAt = found(this.window.text.indexOf(this.separator, from));
    return this.separatorAt;
  }

  /** A record with a quotation mark in its first line. */
  private quoted(start: number, firstEnd: number): NextCells {
    const { window } = this;
    const { text } = window;
    const cells: string[] = [];
    let lineEnd = firstEnd;
    for (let at = start; ;) {
      if (text.charCodeAt(at) === QUOTE) {
        const close = this.closingQuote(at, start < this.distrustedTo ? firstEnd : NEVER);
        if (close === NEVER) return this.unclosed(start, firstEnd);
        cells.push(unquoted(text, at + 1, close));
        at = close + 1;
        if (at > lineEnd) lineEnd = this.endOfLine(at);
        if (lineEnd === NEVER) {
          if (text.length - start > LONGEST_RECORD) return this.unclosed(start, firstEnd);
          return NEEDS_MORE;
        }
        if (text.charCodeAt(at) === CARRIAGE_RETURN && at + 1 === lineEnd) at++;
      } else {
        const end = Math.min(this.nextSeparator(at), lineEnd);
        const isLast = end === lineEnd;
        cells.push(
          text.slice(at, isLast && end > at && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end),
        );
        at = end;
      }
      if (at >= lineEnd) {
        window.at = Math.min(lineEnd + 1, text.length);
        return lineEnd - start > LONGEST_RECORD ? unreadable(TOO_LONG) : cells;
      }
      at++;
    }
  }

  /**
   * The quotation mark that ends the cell which begins at `open`; one in the midst of a cell is a character.
   * @returns `NEVER` where there is none up to `most`, or none yet.
   */
  private closingQuote(open: number, most: number): number {
    const { text, isEnd } = this.window;
    for (let at = text.indexOf('"', open + 1); at >= 0 && at <= most; at = text.indexOf('"', at)) {
      const after = text.charAt(at + 1);
      if (after === '"') {
        at += 2;
        continue;
      }
      if (after === '') return isEnd ? at : NEVER;
      if (after === this.separator || after === this.lineBreak) return at;
      if (after === '\r') {
        if (at + 2 >= text.length) return isEnd ? at : NEVER;
        if (text.charAt(at + 2) === '\n') return at;
      }
      at++;
    }
    return NEVER;
  }

  /** A cell does not end, as far as can be seen: asks for more, or gives its line up. */
  private unclosed(start: number, firstEnd: number): NextCells {
    const { window } = this;
    const isSure = start < this.distrustedTo || window.isEnd || window.text.length - start > LONGEST_RECORD;
    if (!isSure) return NEEDS_MORE;
    this.distrustedTo = Math.max(this.distrustedTo, window.text.length);
    window.at = Math.min(firstEnd + 1, window.text.length);
    return unreadable(NEVER_CLOSED);
  }
}

/** Reads records of named cells. An empty cell is left out, since it changes nothing. */
export class CsvReader implements RecordReader {
  private nulAt = -1;
  private readonly mayBeBroken: boolean;

  constructor(
    private readonly lines: CsvLines,
    private readonly columns: readonly string[],
    /** Whether the encoding can hold halves of characters. */
    mayHoldHalves: boolean,
  ) {
    this.mayBeBroken = mayHoldHalves;
  }

  moved(by: number): void {
    this.lines.moved(by);
    this.nulAt = -1;
  }

  state(): ReaderState {
    return this.lines.state();
  }

  next(): NextRecord {
    const { window } = this.lines;
    const from = window.at;
    const cells = this.lines.next();
    if (!isCells(cells)) return cells;
    if (this.nextNul(from) < window.at) return unreadable(NOT_STORABLE);
    if (this.mayBeBroken && !window.text.slice(from, window.at).isWellFormed())
      return unreadable(NOT_STORABLE);
    const { columns } = this;
    if (cells.length !== columns.length && !isFilledUp(cells, columns.length))
      return unreadable(`The row has ${cells.length} cells and the header ${columns.length}.`);
    const fields: Record<string, string> = {};
    for (let at = 0; at < columns.length; at++) {
      const cell = cells[at];
      if (cell !== undefined && cell !== '') fields[columns[at] ?? ''] = cell;
    }
    return { fields, problem: '' };
  }

  private nextNul(from: number): number {
    if (this.nulAt < from) this.nulAt = found(this.lines.window.text.indexOf('\0', from));
    return this.nulAt;
  }
}

/** Whether a row is longer than the header by nothing but empty cells. */
function isFilledUp(cells: readonly string[], columns: number): boolean {
  if (cells.length < columns) return false;
  for (let at = columns; at < cells.length; at++) if (cells[at] !== '') return false;
  return true;
}

export function isCells(cells: NextCells): cells is readonly string[] {
  return Array.isArray(cells);
}

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

function found(place: number): number {
  return place < 0 ? NEVER : place;
}

function unquoted(text: string, from: number, to: number): string {
  const cell = text.slice(from, to);
  return cell.includes('""') ? cell.replaceAll('""', '"') : cell;
}

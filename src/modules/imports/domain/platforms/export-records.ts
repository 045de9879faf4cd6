/** From the bytes of an export to its records: lines of JSON, or rows of comma-separated values with a header. */
import { isJsonObject, type JsonObject } from '../../../../kernel/json.js';

/** Bytes of one record; a longer one is passed by, and counts as one that cannot be read. */
export const LONGEST_RECORD = 1_024 * 1_024;
/** Columns of a header. */
const MOST_COLUMNS = 5_000;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** A record as it stands there. */
export interface RawRecord {
  /** Null for one that is too long. */
  readonly text: string | null;
  /** The number of the byte behind it. */
  readonly end: number;
}

/**
 * Cuts bytes into records, those of each piece at once. Line breaks within quotes are none, where `isQuoted` says that quotes mean that; a quote that
 * is never closed costs one record.
 * @param from the number of the first byte.
 */
export async function* recordsIn(
  bytes: AsyncIterable<Buffer>,
  from: number,
  isQuoted: boolean,
): AsyncGenerator<readonly RawRecord[]> {
  let held: Buffer[] = [];
  let length = 0;
  let at = from;
  let isWithin = false;
  let isCellStart = true;

  const record = (piece: Buffer): RawRecord => {
    const isTooLong = length + piece.length > LONGEST_RECORD;
    const text = isTooLong ? null : textOf([...held, piece], at === length + piece.length);
    held = [];
    length = 0;
    isWithin = false;
    isCellStart = true;
    return { text, end: at };
  };

  for await (const piece of bytes) {
    const records: RawRecord[] = [];
    let start = 0;
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index];
      if (byte === LINE_FEED && (!isWithin || length + index - start > LONGEST_RECORD)) {
        at += index + 1 - start;
        records.push(record(piece.subarray(start, index + 1)));
        start = index + 1;
      } else if (isQuoted) {
        // A doubled quote closes the text and opens it again.
        if (byte === QUOTE && (isWithin || isCellStart)) {
          isWithin = !isWithin;
          isCellStart = !isWithin;
        } else if (!isWithin) isCellStart = byte === COMMA;
      }
    }
    const rest = piece.subarray(start);
    at += rest.length;
    length += rest.length;
    if (length > LONGEST_RECORD) held = [];
    else if (rest.length > 0) held.push(rest);
    if (records.length > 0) yield records;
  }
  if (length > 0) yield [record(Buffer.alloc(0))];
}

function textOf(pieces: readonly Buffer[], isFirst: boolean): string {
  const text = Buffer.concat(pieces).toString('utf8');
  return (isFirst && text.startsWith('\ufeff') ? text.slice(1) : text).replace(/\r?\n$/, '');
}

/** The cells of a row: quoted ones may hold commas, line breaks and doubled quotes. */
export function cellsIn(text: string): string[] {
  const cells: string[] = [];
  for (let at = 0; ;) {
    if (text[at] === '"') {
      let cell = '';
      for (at++; ;) {
        const quote = text.indexOf('"', at);
        if (quote === -1) {
          cell += text.slice(at);
          at = text.length;
          break;
        }
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
      const comma = text.indexOf(',', at);
      // What stands between the quotes and the comma belongs to the cell.
      cells.push(cell + text.slice(at, comma === -1 ? text.length : comma));
      if (comma === -1) return cells;
      at = comma + 1;
    } else {
      const comma = text.indexOf(',', at);
      cells.push(text.slice(at, comma === -1 ? text.length : comma));
      if (comma === -1) return cells;
      at = comma + 1;
    }
  }
}

/** Names of columns; one that occurs again gets a number. */
export function headerIn(text: string): string[] {
  const names = new Map<string, number>();
  return cellsIn(text)
    .slice(0, MOST_COLUMNS)
    .map((cell) => {
      const name = cell.trim();
      const times = (names.get(name) ?? 0) + 1;
      names.set(name, times);
      return times === 1 ? name : `${name}_${times}`;
    });
}

/** A row by the names of its columns; null for one with more cells than there are columns. */
export function rowOf(header: readonly string[], text: string): JsonObject | null {
  const cells = cellsIn(text);
  if (cells.length > header.length) return null;
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
}

/** A line's object; null for anything else. */
export function objectOf(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

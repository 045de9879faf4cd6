/** Splits the bytes of an export into lines of JSON and parses them. */
import { flawOf, isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import { type ExactNumberLimits, parseJson } from '../../../../kernel/json-text.js';
import { markedStorablePart } from '../storable-part.js';

/** Maximum bytes of a record. A longer one is skipped, and counts as unreadable. */
export const MAX_RECORD_BYTES = 1_024 * 1_024;

/** Limits of exact numbers in one record. */
const EXACT_NUMBER_LIMITS: ExactNumberLimits = { numbers: 1_000, characters: 65_536 };

const LINE_FEED = 0x0a;

/** A line, unparsed. */
export interface ExportLine {
  /** Null for a line that is too long. */
  readonly text: string | null;
  /** The byte offset after it. */
  readonly end: number;
}

/**
 * Splits bytes into lines; yields the lines of each piece together.
 * @param from the offset of the first byte.
 */
export async function* linesIn(
  bytes: AsyncIterable<Buffer>,
  from: number,
): AsyncGenerator<readonly ExportLine[]> {
  let pending: Buffer[] = [];
  let length = 0;
  let at = from;

  const record = (piece: Buffer): ExportLine => {
    const isTooLong = length + piece.length > MAX_RECORD_BYTES;
    const text = isTooLong ? null : textOf([...pending, piece], at === length + piece.length);
    pending = [];
    length = 0;
    return { text, end: at };
  };

  for await (const piece of bytes) {
    const records: ExportLine[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      at += end + 1 - start;
      records.push(record(piece.subarray(start, end + 1)));
      start = end + 1;
    }
    const rest = piece.subarray(start);
    at += rest.length;
    length += rest.length;
    if (length > MAX_RECORD_BYTES) pending = [];
    else if (rest.length > 0) pending.push(rest);
    if (records.length > 0) yield records;
  }
  if (length > 0) yield [record(Buffer.alloc(0))];
}

function textOf(pieces: readonly Buffer[], isFirst: boolean): string {
  const text = Buffer.concat(pieces).toString('utf8');
  return (isFirst && text.startsWith('\ufeff') ? text.slice(1) : text).replace(/\r?\n$/, '');
}

/**
 * A line's object with exact numbers, or the part of it that is not nested too deep and can be stored; otherwise
 * null.
 */
export function objectOf(text: string): JsonObject | null {
  try {
    const value = parseJson(text, EXACT_NUMBER_LIMITS);
    if (!isJsonObject(value)) return null;
    const flaw = flawOf(value);
    return flaw === undefined ? value : markedStorablePart(value, flaw);
  } catch {
    return null;
  }
}

/**
 * How a text stands in a message, RFC 2045: as it is where servers take it so, which keeps the message small and readable,
 * and in base64 where anything else stands in it.
 */
import { encodedLength, writeBase64Lines } from './base64-lines.js';
import { utf8 } from './utf8.js';

export interface Body {
  readonly encoding: '7bit' | 'base64';
  /** Bytes that it takes, with the end of its last line. */
  readonly size: number;
  /** Writes it from `at` on and gives the offset behind it; stops in between where it is large. */
  write(target: Buffer, at: number): Generator<void, number>;
}

/** Characters of a line that servers let through, without its end. */
const LONGEST_LINE = 998;
/** Characters up to which a text is looked through in one go: some tenths of a millisecond. */
const LONGEST_PLAIN = 131_072;
/** What is not ASCII, and what servers drop or take for something else. */
const NOT_PLAIN = /[^\t\r\n\x20-\x7e]/;

/**
 * @param text with any line breaks, which become CRLF where it is written as it is.
 * @param boundary what must not stand in it.
 */
export function* bodyOf(text: string, boundary: string): Generator<void, Body> {
  const plain = plainLines(text, boundary);
  if (plain !== undefined)
    return {
      encoding: '7bit',
      size: plain.length,
      *write(target, at) {
        return at + target.write(plain, at, 'latin1');
      },
    };
  const bytes = yield* utf8(text);
  return {
    encoding: 'base64',
    size: encodedLength(bytes.length),
    write: (target, at) => writeBase64Lines(target, at, bytes),
  };
}

/** The text in lines that end in CRLF; undefined where it cannot stand in a message like that. */
function plainLines(text: string, boundary: string): string | undefined {
  if (text.length > LONGEST_PLAIN || NOT_PLAIN.test(text) || text.includes(boundary)) return undefined;
  const broken = text.includes('\r') ? text.replace(/\r\n?|\n/g, '\r\n') : text.replaceAll('\n', '\r\n');
  const lines = broken.endsWith('\r\n') ? broken : `${broken}\r\n`;
  for (let from = 0; from < lines.length;) {
    const end = lines.indexOf('\r\n', from);
    if (end - from > LONGEST_LINE) return undefined;
    from = end + 2;
  }
  return lines;
}

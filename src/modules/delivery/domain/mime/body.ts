/**
 * The encoding of a text in a message, RFC 2045: plain where servers accept it, which keeps the message small and
 * readable, and base64 otherwise.
 */
import { encodedLength, writeBase64Lines } from './base64-lines.js';
import { utf8 } from './utf8.js';

export interface Body {
  readonly encoding: '7bit' | 'base64';
  /** The size in bytes, including the end of the last line. */
  readonly size: number;
  /** Writes it from `at` on and returns the offset after it. Yields in between for large texts. */
  write(target: Buffer, at: number): Generator<void, number>;
}

/** Maximum characters of a line that servers let through, without its line end. */
const MAX_LINE_CHARS = 998;
/** Up to this number of characters a text is checked without a yield: some tenths of a millisecond. */
const MAX_PLAIN_CHARS = 131_072;
/** Characters that are not ASCII, or that servers drop or misread. */
const NOT_PLAIN = /[^\t\r\n\x20-\x7e]/;

/**
 * @param text with any line breaks, which become CRLF in plain encoding.
 * @param boundary must not occur in the text.
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

/** The text in lines that end in CRLF; undefined if it cannot be sent as plain text. */
function plainLines(text: string, boundary: string): string | undefined {
  if (text.length > MAX_PLAIN_CHARS || NOT_PLAIN.test(text) || text.includes(boundary)) return undefined;
  const broken = text.includes('\r') ? text.replace(/\r\n?|\n/g, '\r\n') : text.replaceAll('\n', '\r\n');
  const lines = broken.endsWith('\r\n') ? broken : `${broken}\r\n`;
  for (let from = 0; from < lines.length;) {
    const end = lines.indexOf('\r\n', from);
    if (end - from > MAX_LINE_CHARS) return undefined;
    from = end + 2;
  }
  return lines;
}

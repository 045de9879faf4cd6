/**
 * Decodes bytes to text and counts the bytes of text, for the four encodings of files, wherever the chunks are cut.
 */
import type { FileEncoding } from './import-file.js';

/** The characters from 0x80 on. Windows and all browsers interpret Latin-1 as this code page (windows-1252). */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const CONTROLS = /[\x80-\x9f]/g;
const FIRST_CONTROL = 0x80;

/**
 * The byte order marks: their bytes, and the encodings in which they are skipped. UTF-8's is skipped in Latin-1, too.
 */
const MARKS: readonly (readonly [bytes: readonly number[], encodings: readonly FileEncoding[]])[] = [
  [
    [0xef, 0xbb, 0xbf],
    ['utf-8', 'latin1'],
  ],
  [[0xff, 0xfe], ['utf-16le']],
  [[0xfe, 0xff], ['utf-16be']],
];

/** Length of the longest mark, in bytes. */
export const MAX_MARK_BYTES = 3;

/** The encoding that a byte order mark names, except for UTF-8's, which does not prove the encoding. */
export function markedEncoding(head: Buffer): FileEncoding | undefined {
  const [, encodings] = MARKS.find(([bytes]) => bytes.every((byte, at) => head[at] === byte)) ?? [];
  return encodings?.[0];
}

/** The length in bytes of the mark at the start of a file. */
export function markLength(head: Buffer, encoding: FileEncoding): number {
  const [bytes] =
    MARKS.find(
      ([mark, encodings]) => encodings.includes(encoding) && mark.every((byte, at) => head[at] === byte),
    ) ?? [];
  return bytes?.length ?? 0;
}

/** The number of bytes from which a text was decoded. */
export function bytesOf(text: string, encoding: FileEncoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text, 'utf8');
  return encoding === 'latin1' ? text.length : text.length * 2;
}

/** Decodes a sequence of chunks. Holds an incomplete character at the end of a chunk until the next one. */
export class TextDecoding {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly encoding: FileEncoding) {}

  add(chunk: Buffer): string {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = this.wholeBytes(bytes);
    this.rest = Buffer.from(bytes.subarray(end));
    return decoded(bytes.subarray(0, end), this.encoding);
  }

  /** The remainder of a character that was cut off at the end of the file. */
  end(): string {
    return this.rest.length === 0 ? '' : '\ufffd';
  }

  private wholeBytes(bytes: Buffer): number {
    if (this.encoding === 'latin1') return bytes.length;
    if (this.encoding === 'utf-8') return endOfCharacters(bytes);
    return bytes.length - (bytes.length % 2);
  }
}

function decoded(bytes: Buffer, encoding: FileEncoding): string {
  switch (encoding) {
    case 'utf-8':
      return bytes.toString('utf8');
    case 'utf-16le':
      return bytes.toString('utf16le');
    case 'utf-16be':
      return Buffer.from(bytes).swap16().toString('utf16le');
    case 'latin1':
      return bytes
        .toString('latin1')
        .replace(CONTROLS, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - FIRST_CONTROL));
  }
}

/** Maximum bytes of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** The index after the last complete UTF-8 character, as far as the last bytes show. */
export function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back < MAX_CHARACTER_BYTES && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return lengthBy(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function lengthBy(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

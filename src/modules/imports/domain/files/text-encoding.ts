/** Bytes to text and back to their number, for the four encodings of files; whatever the chunks are cut at. */
import { endOfCharacters } from './character-ends.js';
import type { FileEncoding } from './import-file.js';

/** What Windows and every browser mean by Latin-1 in the place of control characters, from 0x80 on. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const CONTROLS = /[\x80-\x9f]/g;
const FIRST_CONTROL = 0x80;

/** The mark at the beginning of a file: its bytes, and what it says. UTF-8's is passed over in Latin-1 too. */
const MARKS: readonly (readonly [bytes: readonly number[], encodings: readonly FileEncoding[]])[] = [
  [
    [0xef, 0xbb, 0xbf],
    ['utf-8', 'latin1'],
  ],
  [[0xff, 0xfe], ['utf-16le']],
  [[0xfe, 0xff], ['utf-16be']],
];

/** Bytes. */
export const LONGEST_MARK = 3;

/** The encoding that a mark at the beginning names, UTF-8's aside, which may be none. */
export function markedEncoding(head: Buffer): FileEncoding | undefined {
  const [, encodings] = MARKS.find(([bytes]) => bytes.every((byte, at) => head[at] === byte)) ?? [];
  return encodings?.[0];
}

/** Bytes of the mark with which a file begins. */
export function markLength(head: Buffer, encoding: FileEncoding): number {
  const [bytes] =
    MARKS.find(
      ([mark, encodings]) => encodings.includes(encoding) && mark.every((byte, at) => head[at] === byte),
    ) ?? [];
  return bytes?.length ?? 0;
}

/** How many bytes a text has taken that was decoded. */
export function bytesOf(text: string, encoding: FileEncoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text, 'utf8');
  return encoding === 'latin1' ? text.length : text.length * 2;
}

/** Decodes chunks that follow each other. Keeps what of a chunk is no whole character until the next one. */
export class TextDecoding {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly encoding: FileEncoding) {}

  add(chunk: Buffer): string {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = this.wholeBytes(bytes);
    this.rest = Buffer.from(bytes.subarray(end));
    return decoded(bytes.subarray(0, end), this.encoding);
  }

  /** What is left of a character that was cut off at the end of the file. */
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
        .replace(CONTROLS, (control) => WINDOWS.charAt(control.charCodeAt(0) - FIRST_CONTROL));
  }
}

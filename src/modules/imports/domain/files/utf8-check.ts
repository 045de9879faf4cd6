/** Whether bytes that come in chunks are UTF-8, wherever the chunks are cut. */
import { isUtf8 } from 'node:buffer';

/** Bytes of the longest character. */
const LONGEST_CHARACTER = 4;

export class Utf8Check {
  private isValid = true;
  /** The beginning of a character whose rest is to come. */
  private rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    if (!this.isValid || chunk.length === 0) return;
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = endOfCharacters(bytes);
    this.isValid = isUtf8(bytes.subarray(0, end));
    this.rest = Buffer.from(bytes.subarray(end));
  }

  /** Whether all that came is UTF-8, with nothing cut off at its end. */
  end(): boolean {
    return this.isValid && this.rest.length === 0;
  }
}

/** Where the last character that is complete ends, as far as the last bytes tell. */
export function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back++) {
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

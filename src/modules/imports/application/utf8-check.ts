/** Checks whether a stream of chunks is UTF-8, wherever the chunks are cut. */
import { isUtf8 } from 'node:buffer';
import { endOfCharacters } from '../domain/files/character-ends.js';

export class Utf8Check {
  private isValid = true;
  /** The first bytes of a character whose rest is still to come. */
  private rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    if (!this.isValid || chunk.length === 0) return;
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = endOfCharacters(bytes);
    this.isValid = isUtf8(bytes.subarray(0, end));
    this.rest = Buffer.from(bytes.subarray(end));
  }

  /** Whether all data were UTF-8, with nothing cut off at the end. */
  end(): boolean {
    return this.isValid && this.rest.length === 0;
  }
}

/** Whether bytes that come in chunks are UTF-8, wherever the chunks are cut. */
import { isUtf8 } from 'node:buffer';
import { endOfCharacters } from '../domain/files/character-ends.js';

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

/**
 * A moving window on the text of a file. It reads more at its end, drops what was processed, and knows the byte
 * offset of each position.
 */
import { bytesOf, MAX_MARK_BYTES, markLength, TextDecoding } from './text-encoding.js';
import type { FileEncoding } from './import-file.js';

export class TextWindow {
  /** What was read; the part from `at` on is not processed yet. */
  text = '';
  at = 0;
  /** Whether the file ends after `text`. */
  isEnd = false;
  private readonly decoding: TextDecoding;
  /** The byte offset in the file of the character at index `countedTo` of `text`. */
  private start: number;
  private countedTo = 0;
  private hasStarted: boolean;
  /** The number of characters that were dropped. */
  private droppedCharacters = 0;

  constructor(
    private readonly bytes: AsyncIterator<Buffer>,
    private readonly encoding: FileEncoding,
    offset: number,
  ) {
    this.start = offset;
    this.hasStarted = offset > 0;
    this.decoding = new TextDecoding(encoding);
  }

  /** The byte offset of `at` in the file. */
  offset(): number {
    this.start += bytesOf(this.text.slice(this.countedTo, this.at), this.encoding);
    this.countedTo = this.at;
    return this.start;
  }

  /** The number of characters processed since the window was created. */
  position(): number {
    return this.droppedCharacters + this.at;
  }

  /** Drops what was processed, and reads more. @returns false at the end. */
  async more(): Promise<boolean> {
    if (this.isEnd) return false;
    this.offset();
    this.droppedCharacters += this.at;
    const left = this.text.slice(this.at);
    this.at = 0;
    this.countedTo = 0;
    const bytes = await this.nextBytes();
    this.isEnd = bytes === undefined;
    this.text = left + (bytes ? this.decoding.add(this.withoutMark(bytes)) : this.decoding.end());
    return true;
  }

  /** Takes the first bytes, before anything is read. @param isWhole whether these are all. */
  load(bytes: Buffer, isWhole: boolean): void {
    this.text = this.decoding.add(this.withoutMark(bytes));
    if (isWhole) this.text += this.decoding.end();
    this.isEnd = isWhole;
  }

  private async nextBytes(): Promise<Buffer | undefined> {
    let bytes: Buffer = Buffer.alloc(0);
    for (;;) {
      const next = await this.bytes.next();
      if (next.done === true) return bytes.length > 0 ? bytes : undefined;
      bytes = bytes.length > 0 ? Buffer.concat([bytes, next.value]) : next.value;
      if (this.hasStarted || bytes.length >= MAX_MARK_BYTES) return bytes;
    }
  }

  private withoutMark(bytes: Buffer): Buffer {
    if (this.hasStarted) return bytes;
    this.hasStarted = true;
    const mark = markLength(bytes, this.encoding);
    this.start += mark;
    return bytes.subarray(mark);
  }
}

/** A window on the given bytes, which does not read more. */
export function windowOn(bytes: Buffer, encoding: FileEncoding, isWhole: boolean): TextWindow {
  const window = new TextWindow(NO_BYTES, encoding, 0);
  window.load(bytes, isWhole);
  return window;
}

const NO_BYTES: AsyncIterator<Buffer> = { next: () => Promise.resolve({ done: true, value: undefined }) };

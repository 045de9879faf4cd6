/** The text of a file as far as it is looked at: read on at one end, done with at the other, each place known in bytes. */
import { bytesOf, LONGEST_MARK, markLength, TextDecoding } from './text-encoding.js';
import type { FileEncoding } from './import-file.js';

export class TextWindow {
  /** What was read and is not done with, from `at` on. */
  text = '';
  at = 0;
  /** Whether nothing comes behind `text`. */
  isEnd = false;
  private readonly decoding: TextDecoding;
  /** Of the character `counted` of `text`, in bytes of the file. */
  private start: number;
  private counted = 0;
  private isBegun: boolean;
  /** Characters that were let go. */
  private passed = 0;

  constructor(
    private readonly bytes: AsyncIterator<Buffer>,
    private readonly encoding: FileEncoding,
    offset: number,
  ) {
    this.start = offset;
    this.isBegun = offset > 0;
    this.decoding = new TextDecoding(encoding);
  }

  /** Where `at` is, in bytes of the file. */
  offset(): number {
    this.start += bytesOf(this.text.slice(this.counted, this.at), this.encoding);
    this.counted = this.at;
    return this.start;
  }

  /** How many characters are done with since the window was made. */
  position(): number {
    return this.passed + this.at;
  }

  /** Lets go of what is done with, and reads on. @returns false at the end. */
  async more(): Promise<boolean> {
    if (this.isEnd) return false;
    this.offset();
    this.passed += this.at;
    const left = this.text.slice(this.at);
    this.at = 0;
    this.counted = 0;
    const bytes = await this.nextBytes();
    this.isEnd = bytes === undefined;
    this.text = left + (bytes ? this.decoding.add(this.withoutMark(bytes)) : this.decoding.end());
    return true;
  }

  private async nextBytes(): Promise<Buffer | undefined> {
    let bytes: Buffer = Buffer.alloc(0);
    for (;;) {
      const next = await this.bytes.next();
      if (next.done === true) return bytes.length > 0 ? bytes : undefined;
      bytes = bytes.length > 0 ? Buffer.concat([bytes, next.value]) : next.value;
      if (this.isBegun || bytes.length >= LONGEST_MARK) return bytes;
    }
  }

  private withoutMark(bytes: Buffer): Buffer {
    if (this.isBegun) return bytes;
    this.isBegun = true;
    const mark = markLength(bytes, this.encoding);
    this.start += mark;
    return bytes.subarray(mark);
  }
}

/** A window on bytes that are there already. */
export async function windowOn(bytes: Buffer, encoding: FileEncoding, isWhole: boolean): Promise<TextWindow> {
  const window = new TextWindow(iteratorOf(bytes), encoding, 0);
  await window.more();
  if (isWhole) await window.more();
  return window;
}

function iteratorOf(bytes: Buffer): AsyncIterator<Buffer> {
  let isGiven = false;
  return {
    next: () => {
      const result: IteratorResult<Buffer> = isGiven
        ? { done: true, value: undefined }
        : { done: false, value: bytes };
      isGiven = true;
      return Promise.resolve(result);
    },
  };
}

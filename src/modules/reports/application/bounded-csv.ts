/** A CSV as it may hang on a mail: whole records up to so many bytes, whatever the report has. */
import type { Readable } from 'node:stream';

/** Bytes of a file in a mail. */
export const MOST_CSV = 1_048_576;

export interface BoundedCsv {
  readonly content: Buffer;
  /** Records but the header that it holds, where there are more; null where it holds all. */
  readonly cutAfter: number | null;
}

const QUOTE = 0x22;
const END = 0x0a;

/** Reads as much of a file as may be, and ends its reading there. */
export async function boundedCsv(content: Readable, most: number = MOST_CSV): Promise<BoundedCsv> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    chunks.push(bytes);
    size += bytes.length;
    // Leaving the loop ends the stream.
    if (size > most) break;
  }
  const whole = Buffer.concat(chunks);
  return size > most ? cut(whole, most) : { content: whole, cutAfter: null };
}

/** Cut behind the last record that ends within the bound: a line break inside of quotes ends none. */
function cut(whole: Buffer, most: number): BoundedCsv {
  let isQuoted = false;
  let records = 0;
  let end = 0;
  for (let at = 0; at < most; at++) {
    if (whole[at] === QUOTE) isQuoted = !isQuoted;
    else if (whole[at] === END && !isQuoted) {
      records++;
      end = at + 1;
    }
  }
  return { content: whole.subarray(0, end), cutAfter: Math.max(0, records - 1) };
}
